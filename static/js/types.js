// The shapes that travel between modules. Wire shapes are those of docs/protocol.md; nothing here is code.

/** @typedef {'white' | 'black'} Color */
/** @typedef {{base_ms: number, increment_ms: number, days_per_move?: undefined}} ClockTime */
/** @typedef {ClockTime | {days_per_move: number, base_ms?: undefined, increment_ms?: undefined}} TimeControl a clock, or days for each move */
/** @typedef {{name: string, kind: string, rating?: number | null, provisional?: boolean, level?: number}} Player `level` is the computer's */
/** @typedef {{move: string, lan: string, fen: string, check: string | null, spent_ms: number, compensated_ms?: number, played_at?: string}} Move `compensated_ms` of the time were given back for the way through the network */
/** @typedef {{before: number, after: number}} RatingChange */
/**
 * @typedef {object} GameInfo
 * @property {string} id
 * @property {string} variant
 * @property {boolean} rated
 * @property {string} speed
 * @property {TimeControl | null} time null in an untimed game
 * @property {Player} white
 * @property {Player} black
 * @property {string} created_at
 * @property {string | null} ended_at
 * @property {string} start_fen
 * @property {Move[]} [moves]
 * @property {string | null} outcome
 * @property {string | null} termination
 * @property {{white: RatingChange, black: RatingChange} | null} ratings
 * @property {string | null} [previous] the game whose rematch this is
 * @property {{white: number, black: number} | null} [series] the points of its players before it
 * @property {number} [plies] in lists, in place of the moves
 */
/** @typedef {{white_ms: number, black_ms: number, running: Color | null, first_move_ms: number | null}} WireClock */
/** @typedef {WireClock & {at: number}} Clock `at` is performance.now() when the server's words arrived. */
/**
 * @typedef {{white: boolean, black: boolean, spectators: number, claim_in_ms?: {white: number | null, black: number | null}, at?: number}} Presence
 *  `claim_in_ms` is when the other side may claim the game of one that is away, `at` performance.now() when that was told
 */
/** @typedef {{by: Color, offer: number}} Offer known by the number of its event */
/** @typedef {{by: Player, color: Color | null, text: string, at: string}} ChatLine `color` is null for spectators */
/** @typedef {{key: string, args: Record<string, string | number>}} Words a key of the language file and what is filled in */
/** @typedef {Words & {n: number}} Sentence */
/** @typedef {{x: number, y: number, board: number}} Place file and rank from 0, and which board in the order of the FEN */
/** @typedef {{axis: string, from: string, to: string, by: number}} AxisChange */
/** @typedef {{name: string, label: Words} | {board: number}} Cell a name at the rim of the sheet (its class and words), or a board */
/**
 * What the client knows of a game: how its boards lie, how its texts are read, which words tell a move. No rules.
 * A move is one piece's, `a1@00a1@01`; a turn is one or more of them, joined by commas.
 * @typedef {object} Geometry
 * @property {string} name a class of the pages and sheets that show it
 * @property {number} side squares along a board's edge
 * @property {string[]} squares all of them, board by board in the order of the FEN, rank 1 first
 * @property {(place: Place) => string} nameOf
 * @property {(square: string) => Place} placeOf
 * @property {(text: string) => boolean} isSquare
 * @property {(fen: string) => Map<string, string>} pieces square to piece (`wK`, `bP`) of a FEN or of its placement alone
 * @property {(move: string) => {from: string, to: string, more: string}} split `more` is the letter of a promotion
 * @property {(fen: string) => number} most how many moves a turn from this position may hold
 * @property {{id: string, label: Words, title: Words | null}[]} boards `title` is written over the board
 * @property {(flipped: boolean) => Cell[]} layout the sheet from its top left corner
 * @property {(square: string) => boolean} isDark
 * @property {((square: string) => number[]) | null} space the middle of a square in four dimensions, X and Y and Z and W from -1
 *   to 1; null where the boards are no tesseract
 * @property {(square: string, direction: 'left' | 'right' | 'up' | 'down', across: boolean, flipped: boolean) => string} neighbor
 *   the square beside it as the viewer sees it, on its board or, `across`, on the next one; itself where there is none
 * @property {(square: string) => string[]} twins the squares that lie at the same place across the boards
 * @property {(square: string) => string} shown a square as people are shown it
 * @property {(lan: string) => string[]} lan a turn in the notation of records, as people read it, move by move
 * @property {string} example a typed move
 * @property {(text: string, color: Color) => string[] | null} read the moves that a person of that color typed; null when unreadable
 * @property {string[]} axes
 * @property {(from: string, to: string) => AxisChange[]} changes one for each axis
 * @property {(role: string, from: string, to: string) => Words} change the words for what a legal move changes
 * @property {(role: string, square: string) => string} rule the key of how this piece moves from there
 * @property {(pieces: Map<string, string>, move: string) => Map<string, string>} displace a move as it is shown until the server brings the true position
 */
/** @typedef {{moves: string[], answers: Record<string, {placement: string, legal: string[]}>}} Draft `answers` holds, by the text of the moves, where that leads and what may follow */
/** @typedef {{reason: string, args: Record<string, string | number>, detail: string}} Reason */
/** @typedef {{square: string, piece: string}} Guard `piece` is a letter of a FEN */
/** @typedef {{king: string, checkers: Guard[], flights: {square: string, own: string | null, guards: Guard[]}[]}} Flights the squares beside a king in check, and what keeps it from each */
/** @typedef {{square: string, piece: string, exposes_king: boolean}} Attacker `piece` is a letter of a FEN; `exposes_king`: it may not go there */
/**
 * @typedef {object} GameState
 * @property {string} id
 * @property {'loading' | 'ready' | 'missing'} status
 * @property {'needed' | 'asked' | 'ok'} sync whether the server has to be asked what we missed
 * @property {string | null} watchId the id of the last watch command
 * @property {number | null} seq the last event that is part of this state
 * @property {Color | null} you
 * @property {GameInfo | null} info
 * @property {Move[]} moves
 * @property {string[]} legal
 * @property {Clock | null} clock
 * @property {Offer | null} offer of a draw
 * @property {Offer | null} takeback
 * @property {{offer: Offer | null, next: string | null, declined: Color | null}} rematch `next` is the game that has come of it; `declined` is whose offer was refused
 * @property {{lines: ChatLine[], seen: number, unsent: string, open: boolean | null}} chat how many lines have been seen; what the server did not take; whether somebody has opened or folded it beside this game
 * @property {Presence} presence
 * @property {string | null} selected
 * @property {string | null} pointed the square under the pointer or the focus
 * @property {number | null} view how many moves are shown played; null is the present
 * @property {boolean} flipped whether the viewer turned the sheet away from their own side
 * @property {'resign' | 'draw' | 'abort' | null} confirm what a second tap would do
 * @property {string | null} typedError
 * @property {Draft} draft one's own turn while it is put together
 * @property {{from: string, to: string, ply: number} | null} premove a move made ahead, for that ply and no other
 * @property {{to: string, moves: string[]} | null} choosing moves that differ only in what the pawn becomes
 * @property {{id: string, from: string, to: string, said: Reason | null} | null} why a square that is not offered, and why it is not
 * @property {{id: string, square: string, fen: string, turn: string, said: Attacker[] | null} | null} inspect the square that is looked at, on which position, and who attacks it
 * @property {{id: string, open: boolean, said: Flights | null, pointed: string | null, loud: boolean} | null} mate why it is mate, once that was wanted; `pointed` is the square of the list that is looked at, `loud` whether somebody has asked and is told
 * @property {number} focus the board that is large where not all can be
 */
/** @typedef {{id: string, t: string, game?: string, ply?: number, move?: string, [key: string]: unknown}} Command */
/** @typedef {{cmd: Command, epoch: number | null}} Outgoing `epoch` is the connection it was last sent on. */
/** @typedef {{n: number, key: string, args: Record<string, string | number>, kind: 'info' | 'error', link: {href: string, key: string} | null}} Notice */
/** @typedef {{name: string, id?: string, player?: string, variant?: string, speed?: string, ply?: number, search?: string}} Route `ply` is how many moves of a game are shown; `search` the query, at places that have one */
/** @typedef {{time: string, base_ms: number, increment_ms: number, speed: string}} Pool */
/** @typedef {{variant: string, time: string, rated: boolean, waiting: number}} Crowd how many wait in a pool; one in which nobody does is not told of */
/** @typedef {{id: string, url?: string, creator: Player, opponent?: Player | null, variant: string, color: string, time: TimeControl | null, speed?: string, rated?: boolean, fen?: string | null, status: string, game: string | null, expires_at: string, yours: boolean}} Challenge */
/** @typedef {{id: string, owner: Player, owner_rating: number | null, provisional: boolean, variant: string, color: string, time: TimeControl, speed: string, rated: boolean, rating: {min: number | null, max: number | null} | null, gone?: boolean}} Seek
 *  `gone` is one that has just been taken or canceled: it keeps its place for a moment, so that nothing moves under a finger */
/** @typedef {{info: GameInfo, turn: boolean, due: number | null}} OwnGame a game of one's own under way: whether it is one's turn, and until when (Date.now()) the side to move has time */
/** @typedef {{variant: string, speed: string, rating: number, deviation: number, volatility: number, provisional: boolean, games: number, last_played_at: string}} Rating */
/** @typedef {{code: string, detail: string}} Problem */
/** @typedef {{id: string, name: string, created_at: string, seen_at: string, expires_at: string, current?: boolean}} Access a browser or a token that acts for an account */
/** @typedef {{items: GameInfo[], next: string | null, busy: boolean}} GameList */
/** @typedef {{theme: 'auto' | 'light' | 'dark', boards: string, pieces: string, motion: string, language: string, variant: string, rated: boolean, sound: boolean, confirm: boolean, chat: {open: boolean | null, muted: boolean}, computer: {level: number, color: string, time: string}, tesseract: {beside: boolean, instead: boolean}}} Prefs
 *  `variant` is nothing until one was chosen. `boards`, `pieces` and `motion` are of `LOOKS` in keep.js. `confirm` is whether a move asks once more before it is sent. `chat.open` is false where it was folded although there is room for it beside the moves, else null. `computer` is how it was played last; no time is no clock. `tesseract` is shown beside the boards where there is room, and instead of them where not */
/**
 * Everything the page shows follows from this one object; update.js alone makes the next one.
 * @typedef {object} State
 * @property {Route} route
 * @property {{loaded: boolean, player: Player | null, playing: string[], last: string | null}} session `last` is the variant that the player has last played to an end, where that was asked
 * @property {{status: 'connecting' | 'open' | 'waiting' | 'lost', epoch: number, everOpen: boolean, back: boolean, assets: string | null}} line
 * @property {Outgoing[]} outbox commands that the server has not answered; sent again on every new connection
 * @property {{variant: string, time: string, rated: boolean, since: number, mine: boolean, leaving: boolean} | null} pool
 * @property {boolean} seeking this tab asked for an opponent, so it is the one that goes to the game; outlives `pool`, whose end may be told first
 * @property {Notice[]} notices
 * @property {number} noticed the number of the last one: none is used twice
 * @property {{n: number, said: Sentence[]}} live the last sentences for screen readers, and the number of the last one: none is used twice
 * @property {Prefs} prefs
 * @property {{variants: string[], times: Pool[]} | null} pools
 * @property {{level: number, name: string}[] | null} computers the levels of the computer, the weakest first
 * @property {{live: GameInfo[], recent: GameInfo[], shown: GameInfo | null}} lobby
 * @property {{sync: 'off' | 'needed' | 'asked' | 'ok', items: Seek[], online: number | null, games: number, pools: Crowd[], made: boolean}} seeks the list of the lobby and how many wait in each pool, told live while the first page is open; `made` is whether this tab has put something there
 * @property {{received: Challenge[], created: Challenge[]}} challenges those that are open
 * @property {OwnGame[] | null} mine null until they are known
 * @property {{player: Player, created_at: string}[] | null} blocks null until they were asked for
 * @property {{logins: Access[] | null, tokens: Access[] | null, made: {name: string, token: string} | null, changed: boolean}} account one's own, while its page is open; `made` is a token that is shown this once
 * @property {GameState | null} game
 * @property {{busy: boolean, problem: Problem | null, at: 'form' | 'computer' | 'block' | 'password' | 'logins' | 'tokens' | 'bot'}} form the form on the page, whichever it is, and where its problem is told
 * @property {{status: 'loading' | 'ready' | 'missing', data: Challenge | null}} challenge
 * @property {{status: 'loading' | 'ready' | 'missing', name: string, kind: string, created_at: string, blocked: boolean, ratings: Rating[], curve: {variant: string, speed: string, points: {at: string, game: string, rating: number, deviation: number}[]} | null}} profile `blocked` is whether its player and the viewer have nothing to do with each other, as one of them wants; `curve` is the rating that is looked at
 * @property {{variant: string, speed: string, players: {player: Player, rating: number, deviation: number, games: number, last_played_at: string}[], busy: boolean}} leaders
 * @property {GameList} games
 * @property {string | null} go a place to go to, as soon as main.js sees it
 */
/** @typedef {{type: string, now: number, id: string, [key: string]: any}} Message */
/** @typedef {(message: {type: string, [key: string]: any}) => void} Send */
/** @typedef {{el: HTMLElement, update: (state: State) => void, leave?: () => void}} View */

export {};
