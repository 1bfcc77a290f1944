"""What people read, in their language: English as it stands in the code, or by the dictionary in a file of this folder.

A dictionary has an English message as its key and the same in its own language as its value; names in braces are filled
in after that. A message without an entry stays English.
"""

from contextvars import ContextVar
from importlib import import_module
from types import ModuleType

LANGUAGES = ("en", "fr")
_dictionary: ContextVar[ModuleType | None] = ContextVar("dictionary", default=None)


class UnknownLanguage(ValueError):
    """A language that there is no dictionary for."""


def speak(language: str) -> None:
    """From here on, in this thread or task, `say` speaks one of `LANGUAGES`. Raises UnknownLanguage."""
    if language not in LANGUAGES:
        raise UnknownLanguage(f"--lang {language[:20]}: give {' or '.join(LANGUAGES)}")
    _dictionary.set(None if language == "en" else import_module(f"bgai.lang.{language}"))


def language() -> str:
    """The language spoken."""
    dictionary = _dictionary.get()
    return dictionary.__name__.rpartition(".")[2] if dictionary else "en"


def say(message: str, **values: object) -> str:
    """The message in the language spoken, its braces filled with `values`.

    >>> say("match to {length}", length=7)
    'match to 7'
    """
    dictionary = _dictionary.get()
    return (dictionary.MESSAGES.get(message, message) if dictionary else message).format(**values)


def say_action(action: str) -> str:
    """A cube action and its answer, such as "no double/take"."""
    return "/".join(map(say, action.split("/")))


def meant(entry: str) -> str:
    """The English word or words for what somebody typed, in small letters, in the language spoken."""
    dictionary = _dictionary.get()
    return dictionary.ENTRIES.get(entry, entry) if dictionary else entry
