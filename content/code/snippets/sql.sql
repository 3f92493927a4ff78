-- --- create tables
CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    joined TEXT NOT NULL DEFAULT CURRENT_DATE
);
-- --- rounds
CREATE TABLE rounds (
    id INTEGER PRIMARY KEY,
    player_id INTEGER NOT NULL REFERENCES players (id),
    speed REAL NOT NULL CHECK (speed >= 0),
    accuracy REAL NOT NULL,
    played_at TEXT NOT NULL
);
-- --- insert
INSERT INTO players (name, joined)
VALUES
    ('Ada', '2024-03-01'),
    ('Grace', '2024-03-08'),
    ('Linus', '2024-04-12');
-- --- best speed
SELECT players.name, MAX(rounds.speed) AS best
FROM players
JOIN rounds ON rounds.player_id = players.id
GROUP BY players.id
ORDER BY best DESC
LIMIT 10;
-- --- average by month
SELECT
    strftime('%Y-%m', played_at) AS month,
    COUNT(*) AS played,
    ROUND(AVG(speed), 1) AS average
FROM rounds
GROUP BY month
ORDER BY month;
-- --- without rounds
SELECT players.name
FROM players
LEFT JOIN rounds ON rounds.player_id = players.id
WHERE rounds.id IS NULL
ORDER BY players.name;
-- --- rank
SELECT
    player_id,
    speed,
    RANK() OVER (PARTITION BY player_id ORDER BY speed DESC) AS place
FROM rounds
WHERE accuracy >= 95;
-- --- update
UPDATE rounds
SET accuracy = 100
WHERE accuracy > 100
  AND played_at < '2024-06-01'
  AND player_id IN (SELECT id FROM players);
-- --- index
CREATE INDEX rounds_by_player
    ON rounds (player_id, played_at);

ANALYZE rounds;

SELECT COUNT(*) FROM rounds;
-- --- last week
WITH recent AS (
    SELECT player_id, speed
    FROM rounds
    WHERE played_at >= date('now', '-7 days')
)
SELECT player_id, AVG(speed) AS average
FROM recent
GROUP BY player_id
HAVING COUNT(*) >= 5;
-- --- view
CREATE VIEW progress AS
SELECT
    player_id,
    played_at,
    speed - LAG(speed) OVER (
        PARTITION BY player_id ORDER BY played_at
    ) AS gain
FROM rounds;
-- --- transaction
BEGIN;

DELETE FROM rounds
WHERE player_id = 3;

DELETE FROM players
WHERE id = 3;

COMMIT;
