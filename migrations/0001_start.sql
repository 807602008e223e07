-- The whole schema, in the SQL that SQLite and Postgres both speak.
-- Times are microseconds since 1970 UTC; every id is a UUID, version 7 where its order matters.

CREATE TABLE players (
    id            UUID   NOT NULL,
    name          TEXT   NOT NULL, -- as its owner writes it
    handle        TEXT   NOT NULL, -- the name in lower case: what must be unique
    kind          TEXT   NOT NULL, -- 'bot': an account that a program plays for
    password_hash TEXT,            -- argon2id, PHC string; only accounts and bots have one
    created_at    BIGINT NOT NULL,
    CONSTRAINT players_pkey PRIMARY KEY (id),
    CONSTRAINT players_handle_key UNIQUE (handle),
    CONSTRAINT players_kind_check CHECK (kind IN ('guest', 'account', 'bot', 'computer')),
    CONSTRAINT players_password_check CHECK ((kind IN ('account', 'bot')) = (password_hash IS NOT NULL))
);

-- By which the guests are walked of whom some can be forgotten.
CREATE INDEX players_guests_idx ON players (created_at, id) WHERE kind = 'guest';

-- Whatever lets somebody act as a player: a browser that has logged in, or a token that was made for a program.
CREATE TABLE sessions (
    token_hash BYTEA  NOT NULL, -- SHA-256 of the token; the token itself is nowhere
    id         UUID   NOT NULL, -- by which its owner ends it
    player_id  UUID   NOT NULL,
    kind       TEXT   NOT NULL, -- 'spent': somebody has signed up with it, or by the name of that request; it opens nothing
    name       TEXT   NOT NULL, -- 'Firefox on Linux', or what the owner calls the token
    created_at BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL, -- to within minutes
    expires_at BIGINT NOT NULL,
    CONSTRAINT sessions_pkey PRIMARY KEY (token_hash),
    CONSTRAINT sessions_id_key UNIQUE (id),
    CONSTRAINT sessions_player_fkey FOREIGN KEY (player_id) REFERENCES players (id) ON DELETE CASCADE,
    CONSTRAINT sessions_kind_check CHECK (kind IN ('browser', 'token', 'spent'))
);
CREATE INDEX sessions_player_idx ON sessions (player_id);
CREATE INDEX sessions_expires_idx ON sessions (expires_at);

CREATE TABLE games (
    id                UUID    NOT NULL, -- version 7: newest first is the order of ids
    variant           TEXT    NOT NULL,
    rated             BOOLEAN NOT NULL,
    base_ms           BIGINT, -- with the next: a clock
    increment_ms      BIGINT,
    days_per_move     BIGINT, -- correspondence; all three NULL: without a clock
    start_fen         TEXT    NOT NULL,
    white_id          UUID    NOT NULL,
    black_id          UUID    NOT NULL,
    white_rating      DOUBLE PRECISION, -- as it was when the game began; guests have none
    white_provisional BOOLEAN NOT NULL,
    black_rating      DOUBLE PRECISION,
    black_provisional BOOLEAN NOT NULL,
    created_at        BIGINT  NOT NULL,
    deadline_at       BIGINT, -- when one that sleeps has to be woken; NULL: it has a task as long as it is played
    previous_id       UUID,   -- the game whose rematch this is; all three NULL: none
    series_white      BIGINT, -- points in the games before this one, by its colors: a win is 2, a draw 1
    series_black      BIGINT,
    ended_at          BIGINT, -- NULL while it is played
    outcome           TEXT,
    termination       TEXT,
    plies             BIGINT, -- how many moves were played, once it has ended
    CONSTRAINT games_pkey PRIMARY KEY (id),
    CONSTRAINT games_white_fkey FOREIGN KEY (white_id) REFERENCES players (id),
    CONSTRAINT games_black_fkey FOREIGN KEY (black_id) REFERENCES players (id),
    CONSTRAINT games_previous_fkey FOREIGN KEY (previous_id) REFERENCES games (id),
    CONSTRAINT games_previous_key UNIQUE (previous_id), -- one rematch a game
    CONSTRAINT games_series_check CHECK ((previous_id IS NULL) = (series_white IS NULL)
        AND (previous_id IS NULL) = (series_black IS NULL)),
    CONSTRAINT games_seats_check CHECK (white_id <> black_id),
    CONSTRAINT games_time_check CHECK ((base_ms IS NULL) = (increment_ms IS NULL)
        AND (base_ms IS NULL OR days_per_move IS NULL)),
    CONSTRAINT games_rated_check CHECK (NOT rated OR base_ms IS NOT NULL OR days_per_move IS NOT NULL),
    CONSTRAINT games_deadline_check CHECK ((deadline_at IS NULL) = (base_ms IS NOT NULL)),
    CONSTRAINT games_end_check CHECK ((ended_at IS NULL) = (outcome IS NULL)
        AND (ended_at IS NULL) = (termination IS NULL) AND (ended_at IS NULL) = (plies IS NULL))
);
CREATE INDEX games_white_idx ON games (white_id, id);
CREATE INDEX games_black_idx ON games (black_id, id);
CREATE INDEX games_live_idx ON games (id) WHERE ended_at IS NULL;
CREATE INDEX games_deadline_idx ON games (deadline_at) WHERE ended_at IS NULL AND deadline_at IS NOT NULL;
CREATE INDEX games_white_live_idx ON games (white_id) WHERE ended_at IS NULL;
CREATE INDEX games_black_live_idx ON games (black_id) WHERE ended_at IS NULL;

-- The journal: everything that happened in a game, in order. The rest can be derived from it.
CREATE TABLE game_events (
    game_id UUID   NOT NULL,
    seq     BIGINT NOT NULL, -- 1, 2, 3 … without a gap
    at      BIGINT NOT NULL,
    body    TEXT   NOT NULL, -- the event as JSON
    CONSTRAINT game_events_pkey PRIMARY KEY (game_id, seq)
    -- That there is such a game is not checked again with each move: its task was made from it, and no game is deleted.
);

-- What players called the requests that made games against the computer, so that a retry makes no second one.
CREATE TABLE game_requests (
    player_id  UUID NOT NULL,
    command_id TEXT NOT NULL,
    game_id    UUID NOT NULL,
    color      TEXT NOT NULL, -- as it was asked for
    CONSTRAINT game_requests_pkey PRIMARY KEY (player_id, command_id),
    CONSTRAINT game_requests_player_fkey FOREIGN KEY (player_id) REFERENCES players (id),
    CONSTRAINT game_requests_game_fkey FOREIGN KEY (game_id) REFERENCES games (id),
    CONSTRAINT game_requests_color_check CHECK (color IN ('white', 'black', 'random'))
);

CREATE TABLE ratings (
    player_id      UUID             NOT NULL,
    variant        TEXT             NOT NULL,
    speed          TEXT             NOT NULL,
    rating         DOUBLE PRECISION NOT NULL,
    deviation      DOUBLE PRECISION NOT NULL,
    volatility     DOUBLE PRECISION NOT NULL,
    games          BIGINT           NOT NULL,
    last_played_at BIGINT           NOT NULL,
    CONSTRAINT ratings_pkey PRIMARY KEY (player_id, variant, speed),
    CONSTRAINT ratings_player_fkey FOREIGN KEY (player_id) REFERENCES players (id)
);
CREATE INDEX ratings_leaders_idx ON ratings (variant, speed, rating DESC);

-- One row a player and rated game: the key makes it impossible to rate a game twice.
CREATE TABLE rating_changes (
    game_id           UUID             NOT NULL,
    player_id         UUID             NOT NULL,
    variant           TEXT             NOT NULL,
    speed             TEXT             NOT NULL,
    at                BIGINT           NOT NULL,
    rating_before     DOUBLE PRECISION NOT NULL,
    deviation_before  DOUBLE PRECISION NOT NULL,
    volatility_before DOUBLE PRECISION NOT NULL,
    rating_after      DOUBLE PRECISION NOT NULL,
    deviation_after   DOUBLE PRECISION NOT NULL,
    volatility_after  DOUBLE PRECISION NOT NULL,
    CONSTRAINT rating_changes_pkey PRIMARY KEY (game_id, player_id),
    CONSTRAINT rating_changes_game_fkey FOREIGN KEY (game_id) REFERENCES games (id),
    CONSTRAINT rating_changes_player_fkey FOREIGN KEY (player_id) REFERENCES players (id)
);
CREATE INDEX rating_changes_curve_idx ON rating_changes (player_id, variant, speed, at);

CREATE TABLE challenges (
    id           UUID   NOT NULL, -- version 4: whoever knows it was given it
    creator_id   UUID   NOT NULL,
    variant      TEXT   NOT NULL,
    color        TEXT   NOT NULL,
    base_ms      BIGINT, -- as of games
    increment_ms BIGINT,
    days_per_move BIGINT,
    rated        BOOLEAN NOT NULL,
    start_fen    TEXT,   -- NULL: the standard start
    opponent_id  UUID,   -- whom it names; NULL: whoever has the link
    command_id   TEXT,   -- what its creator called the request, so that a retry makes no second one
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    canceled_at  BIGINT,
    declined_at  BIGINT,
    game_id      UUID,
    CONSTRAINT challenges_pkey PRIMARY KEY (id),
    CONSTRAINT challenges_creator_fkey FOREIGN KEY (creator_id) REFERENCES players (id),
    CONSTRAINT challenges_game_fkey FOREIGN KEY (game_id) REFERENCES games (id),
    CONSTRAINT challenges_time_check CHECK ((base_ms IS NULL) = (increment_ms IS NULL)
        AND (base_ms IS NULL OR days_per_move IS NULL)),
    CONSTRAINT challenges_color_check CHECK (color IN ('white', 'black', 'random')),
    CONSTRAINT challenges_rated_check CHECK (NOT rated
        OR (start_fen IS NULL AND (base_ms IS NOT NULL OR days_per_move IS NOT NULL))),
    CONSTRAINT challenges_opponent_fkey FOREIGN KEY (opponent_id) REFERENCES players (id),
    CONSTRAINT challenges_opponent_check CHECK (opponent_id <> creator_id),
    CONSTRAINT challenges_command_key UNIQUE (creator_id, command_id),
    CONSTRAINT challenges_closed_check CHECK ((canceled_at IS NULL OR game_id IS NULL)
        AND (declined_at IS NULL OR (game_id IS NULL AND canceled_at IS NULL)))
);
CREATE INDEX challenges_creator_idx ON challenges (creator_id);
CREATE INDEX challenges_opponent_idx ON challenges (opponent_id);
CREATE INDEX challenges_open_idx ON challenges (expires_at)
    WHERE game_id IS NULL AND canceled_at IS NULL AND declined_at IS NULL;
CREATE INDEX challenges_expires_idx ON challenges (expires_at) WHERE game_id IS NULL;

-- Games that are offered in the lobby. One with a clock is written down when somebody has accepted it; those of days per move
-- from the beginning, so that they outlive a restart.
CREATE TABLE seeks (
    id                UUID    NOT NULL,
    owner_id          UUID    NOT NULL,
    command_id        TEXT    NOT NULL, -- what its owner called the command, so that a retry makes no second one
    variant           TEXT    NOT NULL,
    color             TEXT    NOT NULL, -- the owner's
    base_ms           BIGINT, -- as of games
    increment_ms      BIGINT,
    days_per_move     BIGINT,
    rated             BOOLEAN NOT NULL,
    min_rating        BIGINT, -- of an opponent; NULL: any
    max_rating        BIGINT,
    owner_rating      DOUBLE PRECISION, -- as it was when the seek was made; guests have none
    owner_provisional BOOLEAN NOT NULL,
    created_at        BIGINT  NOT NULL,
    expires_at        BIGINT  NOT NULL, -- from when on it is open no more, and the row may go
    canceled_at       BIGINT,
    game_id           UUID,   -- NULL while it is open
    CONSTRAINT seeks_pkey PRIMARY KEY (id),
    CONSTRAINT seeks_owner_fkey FOREIGN KEY (owner_id) REFERENCES players (id),
    CONSTRAINT seeks_game_fkey FOREIGN KEY (game_id) REFERENCES games (id),
    CONSTRAINT seeks_command_key UNIQUE (owner_id, command_id),
    CONSTRAINT seeks_color_check CHECK (color IN ('white', 'black', 'random')),
    CONSTRAINT seeks_time_check CHECK ((base_ms IS NULL) = (increment_ms IS NULL)
        AND (base_ms IS NULL) <> (days_per_move IS NULL)),
    CONSTRAINT seeks_open_check CHECK (game_id IS NOT NULL OR days_per_move IS NOT NULL),
    CONSTRAINT seeks_closed_check CHECK (canceled_at IS NULL OR game_id IS NULL)
);
CREATE INDEX seeks_open_idx ON seeks (created_at) WHERE game_id IS NULL AND canceled_at IS NULL;
CREATE INDEX seeks_expires_idx ON seeks (expires_at);

-- Who wants nothing to do with whom.
CREATE TABLE blocks (
    player_id  UUID   NOT NULL,
    blocked_id UUID   NOT NULL,
    created_at BIGINT NOT NULL,
    CONSTRAINT blocks_pkey PRIMARY KEY (player_id, blocked_id),
    CONSTRAINT blocks_player_fkey FOREIGN KEY (player_id) REFERENCES players (id) ON DELETE CASCADE,
    CONSTRAINT blocks_blocked_fkey FOREIGN KEY (blocked_id) REFERENCES players (id) ON DELETE CASCADE,
    CONSTRAINT blocks_self_check CHECK (player_id <> blocked_id)
);
CREATE INDEX blocks_blocked_idx ON blocks (blocked_id);

-- When the server was last known to be alive: what came after it, no clock is charged for.
CREATE TABLE heartbeat (
    id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    downtime_until BIGINT, -- up to then games of days per move were given back what the server was away
    CONSTRAINT heartbeat_pkey PRIMARY KEY (id),
    CONSTRAINT heartbeat_single_check CHECK (id = 1)
);

-- Which server has the database, of which there is one at a time; SQLite's is known by a locked file instead.
CREATE TABLE tenancy (
    id     BIGINT NOT NULL,
    tenant UUID   NOT NULL, -- a process, not a machine: each start has another
    since  BIGINT NOT NULL,
    CONSTRAINT tenancy_pkey PRIMARY KEY (id),
    CONSTRAINT tenancy_single_check CHECK (id = 1)
);
