"""How much one question, and all of them together, may cost. Everything that is refused is refused by one of these."""

MAX_PLY = 2  # the deepest lookahead that takes seconds, not minutes; `bgai move` looks further
MAX_TRIALS = 36 * 1296
MAX_TOP = 100  # plays in an answer
MAX_ROLLED_OUT = 5  # plays in a rollout
MAX_POSITIONS = 100  # in one evaluation
ROLLOUT_SECONDS = 20  # after which a rollout is answered with what is known by then

HEAD_BYTES = 16_384  # of a request before its body
BODY_BYTES = 32_768
HEAD_SECONDS = 10  # for the head of a request to arrive, and
BODY_SECONDS = 10  # for its body
ANSWER_SECONDS = 30  # to think, to wait for one's turn before, and to send the answer
IDLE_SECONDS = 30  # between two requests on one connection
CLOSING_SECONDS = 2  # after Ctrl-C, for answers that are under way
MOST_QUESTIONS = 16  # that wait or are being answered; one is thought about at a time
MOST_CONNECTIONS = 64
RETRY_SECONDS = 2  # told to those who come when there is no room
