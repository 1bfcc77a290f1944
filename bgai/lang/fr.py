"""French, in the words of the French federation's players (docs/glossary.md)."""

MESSAGES = {
    # The board and what stands beside it
    "bar": "barre",
    "White": "Blanc",
    "Black": "Noir",
    "{n} pip": "{n} pip",
    "{n} pips": "{n} pips",
    ", {n} off": ", sortis : {n}",
    ", score {n}": ", score {n}",
    "money game": "partie d'argent",
    "Jacoby": "Jacoby",
    "beavers": "beavers",
    "match to {length}": "match en {length} points",
    "Crawford game": "partie de Crawford",
    "post-Crawford": "post-Crawford",
    "{terms}: {situation}": "{terms} : {situation}",
    "{actor} on roll": "à {actor} de lancer",
    "{actor} to play {roll}": "{actor} joue {roll}",
    "{actor} doubles to {cube}, {other} to take or pass": "{actor} double à {cube}, {other} prend ou passe",
    "{actor} beavers to {cube}, {other} to accept or pass": "beaver de {actor} à {cube}, {other} accepte ou passe",
    "{actor} raccoons to {cube}, {other} to accept or pass": "raccoon de {actor} à {cube}, {other} accepte ou passe",
    "{actor} turns the cube to {cube}, {other} to accept or pass": (
        "{actor} remonte le videau à {cube}, {other} accepte ou passe"
    ),
    "{actor} offers a single game, {other} to accept or decline": (
        "{actor} abandonne une partie simple, {other} accepte ou refuse"
    ),
    "{actor} offers a gammon, {other} to accept or decline": "{actor} abandonne un gammon, {other} accepte ou refuse",
    "{actor} offers a backgammon, {other} to accept or decline": (
        "{actor} abandonne un backgammon, {other} accepte ou refuse"
    ),
    "{winner} has won a single game": "{winner} a gagné une partie simple",
    "{winner} has won a gammon": "{winner} a gagné un gammon",
    "{winner} has won a backgammon": "{winner} a gagné un backgammon",
    "the game is over, resigned": "partie finie par abandon",
    "the game is over, passed": "partie finie : videau refusé",
    # Cube actions
    "double": "double",
    "redouble": "redouble",
    "no double": "pas de double",
    "no redouble": "pas de redouble",
    "too good to double": "trop bon pour doubler",
    "too good to redouble": "trop bon pour redoubler",
    "take": "prend",
    "pass": "passe",
    "beaver": "beaver",
    "raccoon": "raccoon",
    "accept": "accepte",
    "decline": "refuse",
    "not available": "videau indisponible",
    "double, take": "double, prend",
    "double, pass": "double, passe",
    "resign single": "abandon",
    "resign gammon": "abandon gammon",
    "resign backgammon": "abandon backgammon",
    "resignation": "abandon",
    "no play": "aucun coup possible",
    # Why something isn't allowed
    "a {what} waits for an answer": "un {what} attend une réponse",
    "{waits}, and {n} beavers in a row are agreed (R35)": "{waits}, et {n} beavers de suite sont convenus (R35)",
    "nothing waits for an answer": "rien n'attend de réponse",
    "a double is answered by take or pass": "on répond à un double par prend ou passe",
    "no {action!r} now: {why}; the {side} may {allowed}": (
        "pas de « {action} » maintenant : {why} ; possible : {allowed}"
    ),
    "the dice are thrown, and a double comes before the roll (R32)": (
        "les dés sont jetés, et l'on double avant de lancer (R32)"
    ),
    "the opponent owns the cube, and only the owner of a turned cube may redouble (R34)": (
        "le videau est à l'adversaire, et seul son propriétaire peut redoubler (R34)"
    ),
    "a 1-point match has no cube (R39)": "un match en 1 point se joue sans videau (R39)",
    "the Crawford game is played without the cube (R39)": "la partie de Crawford se joue sans videau (R39)",
    "there is no doubling at double match point (R41)": "on ne double pas à DMP, un point partout de la fin (R41)",
    "the trailer may double when each side has rolled twice, after {n} more rolls (R42)": (
        "le joueur mené peut doubler quand chacun a lancé deux fois, dans {n} lancers (R42)"
    ),
    "equal dice are thrown again in the opening roll (R2)": "au lancer initial, deux dés égaux sont relancés (R2)",
    "{roll!r} is no roll: give two dice from 1 to 6, such as 31": (
        "{roll!r} n'est pas un lancer : donnez deux dés de 1 à 6, par exemple 31"
    ),
    # Plays
    "for example {play}": "par exemple {play}",
    " and ": " et ",
    " or ": " ou ",
    "{roll} can be played and so must be, {example} (R13)": (
        "{roll} est jouable et doit donc être joué, {example} (R13)"
    ),
    "{roll} can't be played, the turn passes ({no_play!r}): {why}": "{roll} est injouable, le tour passe : {why}",
    "{text} is not legal with {roll}: {why}": "{text} n'est pas légal avec {roll} : {why}",
    "a play is written like 24/18 13/11 or bar/20* 6/4(2), or {no_play!r}": (
        "un coup s'écrit comme 24/18 13/11 ou bar/20* 6/4(2)"
    ),
    "{part!r} is not a move: write from/to, like 24/18, bar/20*, 6/off or 8/5(2)": (
        "{part!r} n'est pas un mouvement : écrivez départ/arrivée, comme 24/18, bar/20*, 6/off ou 8/5(2)"
    ),
    "{part!r}: points are 1 to 24, the bar is bar or 25, borne off is off or 0": (
        "{part!r} : les flèches vont de 1 à 24, la barre est bar ou 25, la sortie est off ou 0"
    ),
    "{part!r} goes backwards: checkers move from high points to low ones (R4)": (
        "{part!r} recule : les pions vont des grands numéros vers les petits (R4)"
    ),
    "{text} moves {n} checkers, and no roll moves more than 4 (R8)": (
        "{text} joue {n} pions, et aucun lancer n'en joue plus de 4 (R8)"
    ),
    "no checker of yours is on the bar": "vous n'avez pas de pion sur la barre",
    "no checker of yours is on point {n}": "vous n'avez pas de pion sur la flèche {n}",
    "a checker on the bar must enter first (R17)": "un pion sur la barre doit d'abord rentrer (R17)",
    "point {point} is held by {n} opposing checkers (R6)": (
        "la flèche {point} est une porte adverse de {n} pions (R6)"
    ),
    "nothing can be borne off while a checker is outside the home board, on point {n} (R21)": (
        "on ne sort rien tant qu'un pion est hors du jan intérieur, sur la flèche {n} (R21)"
    ),
    "a {die} can't bear off from point {point} while a checker is behind it, on point {n} (R23)": (
        "un {die} ne sort pas de pion de la flèche {point} tant qu'il y en a un derrière, sur la flèche {n} (R23)"
    ),
    "no die is left for {stretch}": "il ne reste pas de dé pour {stretch}",
    "{stretch} is {n} pips, and only {die} can be moved": "{stretch} fait {n} pips, et il ne reste que {die} à jouer",
    "{stretch} is {n} pips, and {dice} can be moved": "{stretch} fait {n} pips, et on peut jouer {dice}",
    "{stretch} with the {die}: {why}": "{stretch} avec le {die} : {why}",
    "{most} moves of the {die} can and must be played, this plays {n} (R12)": (
        "le {die} peut et doit être joué {most} fois, ceci le joue {n} fois (R12)"
    ),
    "both dice can and must be played, this leaves the {die} (R9)": (
        "les deux dés sont jouables et doivent être joués, il reste le {die} (R9)"
    ),
    "only one die can be played, and it must be the larger, the {die} (R10)": (
        "un seul dé est jouable, et ce doit être le plus grand, le {die} (R10)"
    ),
    "{text}: nothing is hit on point {n}, leave out the star": (
        "{text} : rien n'est frappé sur la flèche {n}, enlevez l'étoile"
    ),
    "{text} can be {plays}: write where it hits": "{text} peut être {plays} : écrivez où l'on frappe",
    # Playing: what is asked
    "opening roll, your die first: ": "lancer initial, votre dé d'abord : ",
    "your dice: ": "vos dés : ",
    "{name}'s dice: ": "les dés de {name} : ",
    "Enter to roll, or double: ": "Entrée pour lancer, ou double : ",
    "{roll}, your play: ": "{roll}, votre coup : ",
    "{play}: Enter to pick up the dice, or undo: ": "{play} : Entrée pour relever les dés, ou annuler : ",
    "Enter for the next game, or quit: ": "Entrée pour la partie suivante, ou quitter : ",
    # What can be entered
    "now: {what}": "maintenant : {what}",
    "at any time: hint, help, tutor on, tutor off, save FILE, quit": (
        "à tout moment : conseil, aide, tuteur oui, tuteur non, enregistrer FICHIER, quitter"
    ),
    "your die of the opening roll, then mine, such as 31": "votre dé du lancer initial, puis le mien, par exemple 31",
    "the dice as they lie on the board, such as 31": "les dés qui sont sur le plateau, par exemple 31",
    "Enter (or roll); double; resign, resign gammon or resign backgammon": (
        "Entrée (ou lancer) ; double ; abandon, abandon gammon ou abandon backgammon"
    ),
    "a play such as 8/5 6/5, 24/18*/13, bar/20 6/4(2) or 6/off; resign": (
        "un coup comme 8/5 6/5, 24/18*/13, bar/20 6/4(2) ou 6/off ; abandon"
    ),
    "Enter (or done) to pick up the dice and end the turn; undo": (
        "Entrée (ou fini) pour relever les dés et finir le tour ; annuler"
    ),
    "{answers} (drop is the same as pass)": "{answers} (refuser est la même chose que passe)",
    "Enter for the next game": "Entrée pour la partie suivante",
    "enter {answers}": "entrez {answers}",
    "enter nothing to roll, double, or resign": "n'entrez rien pour lancer, ou double, ou abandon",
    "enter a play, or resign": "entrez un coup, ou abandon",
    "{entry!r} isn't understood: {expected}": "{entry!r} n'est pas compris : {expected}",
    "an entry has at most {n} characters": "une entrée a {n} caractères au plus",
    "nothing to undo: a play can be undone until its dice are picked up": (
        "rien à annuler : un coup s'annule jusqu'à ce que les dés soient relevés"
    ),
    "your play is made: enter nothing to pick up the dice, or undo to play differently": (
        "votre coup est joué : n'entrez rien pour relever les dés, ou annuler pour jouer autrement"
    ),
    "the game is over: enter nothing for the next one, or quit": (
        "la partie est finie : n'entrez rien pour la suivante, ou quitter"
    ),
    "the match is over": "le match est fini",
    "no double now: {why}": "pas de double maintenant : {why}",
    "there is nothing to decide now": "il n'y a rien à décider maintenant",
    "the tutor is on": "le tuteur est actif",
    "the tutor is off": "le tuteur est inactif",
    # What happens
    "seed {n}": "graine {n}",
    "game {n}": "partie {n}",
    "the opening roll is {roll}: {who}": "le lancer initial est {roll} : {who}",
    "you start": "vous commencez",
    "{name} starts": "{name} commence",
    "you roll {roll}: {play}": "vous lancez {roll} : {play}",
    "{name} rolls {roll}: {play}": "{name} lance {roll} : {play}",
    "you play {play}": "vous jouez {play}",
    ", which is forced": ", coup forcé",
    "you double to {cube}": "vous doublez à {cube}",
    "{name} doubles to {cube}": "{name} double à {cube}",
    "you take": "vous prenez",
    "{name} takes": "{name} prend",
    "you accept": "vous acceptez",
    "{name} accepts": "{name} accepte",
    "you pass": "vous passez",
    "{name} passes": "{name} passe",
    "you beaver to {cube}": "beaver : vous remontez le videau à {cube}",
    "{name} beavers to {cube}": "beaver : {name} remonte le videau à {cube}",
    "you raccoon to {cube}": "raccoon : vous remontez le videau à {cube}",
    "{name} raccoons to {cube}": "raccoon : {name} remonte le videau à {cube}",
    "you decline": "vous refusez",
    "{name} declines": "{name} refuse",
    "{name} resigns a single game": "{name} abandonne une partie simple",
    "{name} resigns a gammon": "{name} abandonne un gammon",
    "{name} resigns a backgammon": "{name} abandonne un backgammon",
    "{name} accepts your resignation": "{name} accepte votre abandon",
    "{name} declines your resignation": "{name} refuse votre abandon",
    "resigned": "abandon",
    "passed": "videau refusé",
    "played to the end": "jouée jusqu'au bout",
    "1 point": "1 point",
    "{n} points": "{n} points",
    "{won} ({how}); {score}": "{won} ({how}) ; {score}",
    "{points} and the match": "{points} et le match",
    "you win {what}": "vous gagnez {what}",
    "{name} wins {what}": "{name} gagne {what}",
    "you {yours}, {name} {its}": "vous {yours}, {name} {its}",
    "nothing was saved": "rien n'a été enregistré",
    "to go on: bgai play --resume {path}": "pour continuer : bgai play --resume {path}",
    "save where? For example: save evening.mat": "enregistrer où ? Par exemple : enregistrer soir.mat",
    "{path} is there already: give another name": "{path} existe déjà : donnez un autre nom",
    "saved as {path}; to go on: bgai play --resume {path}": (
        "enregistré dans {path} ; pour continuer : bgai play --resume {path}"
    ),
    # The tutor
    "{told}, for the doubler; {n} % to win": "{told}, pour celui qui double ; {n} % de gain",
    "{play} loses {loss} against {best}.": "{play} perd {loss} par rapport à {best}.",
    "The better play {reasons}.": "Le meilleur coup {reasons}.",
    "To take loses {loss}.": "Prendre perd {loss}.",
    "To pass loses {loss}.": "Passer perd {loss}.",
    "To double loses {loss}.": "Doubler perd {loss}.",
    "To beaver loses {loss}.": "Un beaver perd {loss}.",
    "To raccoon loses {loss}.": "Un raccoon perd {loss}.",
    "To accept loses {loss}.": "Accepter perd {loss}.",
    "To decline loses {loss}.": "Refuser perd {loss}.",
    "To resign this much loses {loss}.": "Abandonner autant perd {loss}.",
    "{answer} (the offer {offered}, playing on {expected})": "{answer} (offre {offered}, en jouant {expected})",
    "To roll loses {loss}.": "Lancer sans doubler perd {loss}.",
    "Enter the same once more to do it nevertheless.": "Entrez-le encore une fois pour le faire quand même.",
    "wins {n} % more often": "gagne {n} % plus souvent",
    "wins {n} % more gammons": "gagne {n} % de gammons en plus",
    "loses {n} % fewer gammons": "perd {n} % de gammons en moins",
    "is hit by {fewer} rolls of 36, not by {more}": "est frappé par {fewer} lancers sur 36, et non par {more}",
    "holds the {points} point": "tient la porte {points}",
    "holds the {points} points": "tient les portes {points}",
    # Reports
    "decisions": "décisions",
    "EMG lost": "EMG perdue",
    "plays": "coups",
    "missed doubles": "doubles manqués",
    "wrong doubles": "doubles à tort",
    "wrong takes": "prises à tort",
    "wrong passes": "refus à tort",
    "doubtful": "douteux",
    "bad": "mauvais",
    "very bad": "très mauvais",
    "luck (EMG)": "chance (EMG)",
    "luck (result)": "chance (résultat)",
    "result": "résultat",
    "luck-adjusted": "corrigé de la chance",
    "money session": "session d'argent",
    "{n} games": "parties : {n}",
    "not understood: {fault}": "non compris : {fault}",
    "what cost most": "ce qui a coûté le plus cher",
    "game {n}, move {move}": "partie {n}, coup {move}",
    "best {play}": "le meilleur {play}",
    "all matches": "tous les matchs",
    "all money sessions": "toutes les sessions d'argent",
    "Nothing was judged.": "Rien n'a été jugé.",
    "errors of {name}": "erreurs de {name}",
    "Match winning chance of {name}": "Chances de {name} de gagner le match",
    "Equity of {name}": "Équité de {name}",
    "Summary": "Résumé",
    "Curve": "Courbe",
    "Errors": "Erreurs",
    "Quiz": "Questionnaire",
    "All decisions": "Toutes les décisions",
    "None.": "Aucune.",
    "No errors, no questions.": "Pas d'erreurs, pas de questions.",
    "loss": "perte",
    "where": "où",
    "player": "joueur",
    "kind": "genre",
    "done": "joué",
    "best": "le meilleur",
    "Answer": "Réponse",
    "Played was {play}, which lost {loss}.": "Le coup joué, {play}, a perdu {loss}.",
    "All options": "Toutes les possibilités",
    "Game {n}, at {score}{crawford}": "Partie {n}, à {score}{crawford}",
    "broken off": "interrompue",
    "Done: {done}. Best: {best}": "Fait : {done}. Le meilleur : {best}",
    "Played: {play}": "Joué : {play}",
    "Played: {play}, the best": "Joué : {play}, le meilleur",
    "Best: {play}": "Le meilleur : {play}",
    "{name} to double or not": "{name} double ou non",
    "{name} to answer the {cube}": "{name} répond au {cube}",
    "{name} has the light checkers": "{name} a les pions clairs",
    "rollout": "rollout",
    "win": "gain",
    "lose": "perte",
    "equity": "équité",
    "behind": "écart",
}

# What may be typed, for the English word.
ENTRIES = {
    "lancer": "roll",
    "lance": "roll",
    "doubler": "double",
    "redoubler": "double",
    "prend": "take",
    "prends": "take",
    "prendre": "take",
    "accepte": "accept",
    "accepter": "accept",
    "passe": "pass",
    "passer": "pass",
    "refuse": "pass",
    "refuser": "pass",
    "abandon": "resign",
    "abandonner": "resign",
    "abandon gammon": "resign gammon",
    "abandon backgammon": "resign backgammon",
    "annuler": "undo",
    "fini": "done",
    "suivante": "next",
    "conseil": "hint",
    "aide": "help",
    "tuteur oui": "tutor on",
    "tuteur non": "tutor off",
    "enregistrer": "save",
    "quitter": "quit",
}
