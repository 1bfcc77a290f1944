"""The page in a real browser: whole games by mouse and by keyboard, positions set up and asked about, on any screen."""

import pytest
from chromium import CHROMIUM, browser

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium isn't installed")

STAGE = "document.body.dataset.stage"
ID = "document.querySelector('#id-form input').value"


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("browser")) as tab:
        yield tab


@pytest.fixture
def page(tab, http):
    """The page, fresh, on a desktop; in the end nothing may have gone wrong in it."""
    tab.look_like(1280, 900)
    tab.faults.clear()
    tab.go(f"http://127.0.0.1:{http.port}/?quick&seed=4")
    tab.wait(f"{STAGE} === 'none'")
    yield tab
    assert tab.faults == []


def text(page, selector: str) -> str:
    return page.value(f"document.querySelector({selector!r}).textContent")


def choose(page, name: str, value) -> None:
    """Choose `value` in the field of that name of the part that is open, as a person would."""
    field = f"document.querySelector('section:not([hidden]) [name=\"{name}\"]')"
    page.value(f"{field}.value = '{value}', {field}.dispatchEvent(new Event('input', {{bubbles: true}}))")


def start(page, match: int) -> None:
    choose(page, "match", match)
    choose(page, "level", "beginner")
    page.click("#new-game button.main")


def settled(page) -> str:
    """The stage when it is for us to do something."""
    return page.wait(f"['busy', 'none'].includes({STAGE}) ? null : {STAGE}")


def place_at(selector: str) -> str:
    return f"#board {selector}[data-place]"


def play_by_mouse(page) -> None:
    """The first legal moves, a checker at a time, and then the button that ends the turn."""
    while page.value("document.querySelector('[data-action=done]').disabled"):
        page.click(place_at(".movable"))
        page.click(place_at(".target"))
    page.click("[data-action=done]")


def play_by_keyboard(page) -> None:
    """The same without a mouse: from the board's place in the tab order by arrow keys to a checker, twice Enter."""
    while page.value("document.querySelector('[data-action=done]').disabled"):
        page.value("document.querySelector('#board [tabindex=\"0\"]').focus()")
        page.press("ArrowDown")  # to the lower row, if it isn't there
        where = "document.activeElement.classList.contains('movable')"
        for step in range(28):
            if page.value(where):
                break
            page.press("ArrowUp" if step == 13 else "ArrowRight")
        assert page.value(where)
        page.press("Enter", "Enter")
    page.press("d")


def play_game(page, play, on_roll) -> int:
    """One game to its end by `play`; returns how many turns were played."""
    turns = 0
    while (stage := settled(page)) != "over":
        if stage == "play":
            play(page)
            turns += 1
        elif stage == "roll":
            on_roll()
        else:
            page.click("[data-action=take]")
        assert page.value("document.querySelector('#status.fault')") is None, text(page, "#status")
    return turns


def test_a_whole_game_by_mouse(page):
    start(page, 1)
    assert play_game(page, play_by_mouse, lambda: page.click("[data-action=roll]")) > 10
    assert text(page, "#status").endswith("and the match")
    assert "pips" in text(page, "#score")


def test_a_whole_game_by_keyboard(page):
    start(page, 1)
    assert play_game(page, play_by_keyboard, lambda: page.press("r")) > 10
    assert text(page, "#status").endswith("and the match")


def test_doubling_and_the_next_game(page):
    start(page, 3)
    while (stage := settled(page)) != "roll":
        assert stage == "play"
        play_by_mouse(page)
    page.click("[data-action=double]")
    if settled(page) != "over":
        assert text(page, "#board .on-cube") == "2"
        page.value("const resign = document.querySelector('#actions select'); resign.value = 'resign backgammon';"
                   "resign.dispatchEvent(new Event('change', {bubbles: true}))")  # fmt: skip
        page.wait(f"{STAGE} === 'over'")
        assert text(page, "#status") == "It wins 6 points and the match"
    else:
        page.click("[data-action=next]")
        settled(page)
        assert "You 1, it 0" in text(page, "#score")


def test_moves_can_be_taken_back_and_only_legal_ones_are_offered(page):
    start(page, 5)
    while settled(page) != "play":
        page.click("[data-action=roll]")
    before = page.value("document.querySelector('#board .things').innerHTML")
    page.click(place_at('[data-place="2"]'))  # where we have no checker
    assert page.value("document.querySelector('#board .target')") is None
    page.click(place_at(".movable"))
    page.click(place_at(".target"))
    assert page.value("document.querySelector('#board .things').innerHTML") != before
    while not page.value("document.querySelector('[data-action=undo]').disabled"):
        page.press("u")
    assert page.value("document.querySelector('#board .things').innerHTML") == before
    page.click("[data-action=hint]")
    page.wait("document.getElementById('status').innerText.startsWith('Hint: ')")


def test_a_hint_that_fails_says_why(page):
    start(page, 5)
    while settled(page) != "play":
        page.click("[data-action=roll]")
    page.value("window.fetch = () => Promise.reject(new TypeError('gone')), null")
    page.click("[data-action=hint]")
    page.wait("document.querySelector('#status.fault') !== null")
    assert text(page, "#status") == "The server doesn't answer: is it still running?"
    page.click(place_at(".movable"))
    assert page.value("document.querySelector('#status.fault')") is None and settled(page) == "play"


def test_a_game_goes_on_after_the_page_was_closed(page, http):
    page.go(f"http://127.0.0.1:{http.port}/?quick")
    start(page, 5)
    while settled(page) != "play":
        page.click("[data-action=roll]")
    said = text(page, "#status"), text(page, "#log")
    page.go(f"http://127.0.0.1:{http.port}/?quick")
    assert settled(page) == "play" and (text(page, "#status"), text(page, "#log")) == said
    page.value("localStorage.clear()")


# Setting up and asking


def test_a_position_is_set_up_by_clicking(page):
    page.click("#tab-ask")
    page.click("#clear")
    for _ in range(2):
        page.click(place_at('[data-place="6"]'))
    page.click('[name="tool"][value="dark"]')
    page.click(place_at('[data-place="20"]'))
    page.click(place_at('[data-place="0"]'))  # its bar
    page.click('[name="tool"][value="remove"]')
    page.click(place_at('[data-place="6"]'))
    choose(page, "die1", 6)
    choose(page, "die2", 1)
    choose(page, "match", 7)
    choose(page, "own", 3)
    choose(page, "cube", 2)
    choose(page, "owner", "mover")
    assert page.value(ID) == "XGID=a-----A-------------a-----:1:1:1:61:3:0:0:7:10"


def test_a_position_is_set_up_and_asked_about_by_keyboard(page):
    page.value("document.getElementById('tab-play').focus()")
    page.press("ArrowRight")
    assert page.value("document.body.dataset.open") == "ask"
    page.value("document.querySelector('#board [tabindex=\"0\"]').focus()")
    page.press("-", "ArrowLeft", "ArrowRight", "ArrowRight", "+")  # a checker from the 6 point to the 5 point
    page.press("ArrowLeft", "-")
    assert page.value(ID).startswith("XGID=-b---AC-C---eE")
    page.value("document.getElementById('ask-cube').focus()")
    page.press("Enter")
    page.wait("document.querySelector('.verdict') !== null")


def test_plays_are_listed_and_shown_on_the_board(page):
    page.click("#tab-ask")
    choose(page, "die1", 3)
    choose(page, "die2", 1)
    page.click("#ask-plays")
    page.wait("document.querySelectorAll('[data-play]').length === 16")
    assert text(page, "[data-play]") == "8/5 6/5"
    label = "document.querySelector('#board [data-place=\"5\"]').getAttribute('aria-label')"
    assert page.value(label) == "point 5: empty"
    page.click("[data-play]")
    assert page.value(label) == "point 5: 2 light"
    assert page.value("document.querySelector('[data-play]').getAttribute('aria-pressed')") == "true"
    page.click("[data-play]")
    assert page.value(label) == "point 5: empty"


@pytest.mark.parametrize(
    "state",
    [
        "1:-1:1:52:2:3:0:7:10",
        "0:0:1:D:0:0:0:3:10",
        "0:0:1:B:0:0:2:0:10",
        "1:1:1:B:0:0:3:0:10",
        "0:0:1:R:0:0:2:0:10",
        "1:1:1:R:0:0:2:0:10",
        "11:-1:1:00:0:0:2:0:11",
    ],
    ids=["match", "double", "beaver", "beaver of a redouble", "raccoon", "raccoon after a redouble", "cube of 2048"],
)
def test_an_id_is_pasted_comes_out_again_and_is_asked_about(page, state):
    pasted = f"XGID=-b----E-C---eE---c-e----B-:{state}"
    page.click("#tab-ask")
    page.value("document.querySelector('#id-form input').select()")
    page.click("#id-form input")
    page.value("document.querySelector('#id-form input').select()")
    page.type(pasted)
    page.press("Enter")
    page.wait("!('busy' in document.body.dataset)")
    assert page.value(ID) == pasted
    page.click("#ask-cube")
    page.wait("document.querySelector('.verdict, #answer .fault') !== null")
    assert page.value("document.querySelector('.verdict') !== null"), text(page, "#answer")


def test_what_cannot_be_answered_is_told(tab, http):
    tab.look_like(1280, 900)
    tab.go(f"http://127.0.0.1:{http.port}/#ask")
    tab.click("#ask-plays")
    tab.wait("document.querySelector('#answer .fault') !== null")
    assert text(tab, "#answer") == "Choose the dice first"
    tab.click("#clear")
    tab.click("#ask-cube")
    tab.wait("document.querySelector('#answer .fault') !== null")
    assert "is not a position" in text(tab, "#answer")


# Any screen


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_everything_fits_can_be_touched_and_read(page, width, dark):
    page.look_like(width, 844, dark=dark)
    start(page, 5)
    settled(page)
    for part in ("play", "ask"):
        page.click(f"#tab-{part}")
        assert page.value("document.documentElement.scrollWidth - innerWidth") <= 0
        small = page.value(
            "[...document.querySelectorAll('button, select, input:not([type=checkbox], [type=radio])')]"
            ".filter(each => each.offsetParent && each.getBoundingClientRect().height < 38).map(each => each.outerHTML)"
        )
        assert small == []
    columns = page.value("document.querySelector('#board [data-place=\"6\"]').getBoundingClientRect().width")
    assert columns >= (24 if width >= 390 else 19)
    assert page.value(CONTRAST) >= 4.5


CONTRAST = """(() => {
  const light = name => {
    const probe = document.createElement("i");
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const [r, g, b] = getComputedStyle(probe).color.match(/[0-9.]+/g).map(Number)
      .map(each => each / 255).map(each => each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    probe.remove();
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  return Math.min(ratio(light("--ink"), light("--paper")), ratio(light("--ink"), light("--soft")),
    ratio(light("--on-accent"), light("--accent")), ratio(light("--accent"), light("--paper")),
    ratio(light("--bad"), light("--paper")));
})()"""


def test_every_field_button_and_place_has_a_name(page):
    start(page, 5)
    settled(page)
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "combobox", "textbox", "checkbox", "radio", "tab", "spinbutton", "link"}
    named = [
        (node["role"]["value"], node["name"]["value"]) for node in nodes if node.get("role", {}).get("value") in roles
    ]
    assert len(named) > 35 and all(name for _, name in named)


def test_the_page_for_programs_asks_its_examples(tab, http):
    tab.faults.clear()
    tab.go(f"http://127.0.0.1:{http.port}/docs")
    tab.wait("document.querySelectorAll('article').length === 7")
    tab.click("article button")
    tab.wait("document.querySelector('article pre').innerText.startsWith('200')")
    assert tab.faults == []
