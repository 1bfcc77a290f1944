"""Sessions to talk to."""

from bgai.play import dialogue
from bgai.play.session import Settings, new_session


class Talk:
    """A new session with these settings: `talk("hint")` says something to it and returns the answer."""

    def __init__(self, **settings):
        self.session, self.said = dialogue.begin(new_session(Settings(**settings)))

    def __call__(self, *lines: str) -> str:
        for line in lines:
            self.session, self.said = dialogue.reply(self.session, line)
        return self.said
