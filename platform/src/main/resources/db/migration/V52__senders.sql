-- Who sends data by themselves, and how much came of every source in the last hours.

-- How much came of a source that Peerlens reads itself, in five minutes.
create table source_rate (
  source_id uuid not null references source on delete cascade,
  bucket    timestamptz not null,                      -- begin of the five minutes
  samples   bigint not null,                           -- values, events and alarms
  primary key (source_id, bucket)
);
comment on table source_rate is 'How much came of sources that Peerlens reads itself.';

-- Senders as one node of ingest sees them. Each node writes its own rows, so that none waits for another; readers put them together.
create table sender (
  kind      text not null check (kind in ('lines', 'json', 'source', 'flows')),
  name      text not null,                             -- tag host of its lines; empty = lines without it; id of a source or of an observer of flows
  node      text not null,                             -- of the ingest node that took in what came
  plugins   text[] not null,                           -- what its measurements begin with, some of them
  first_at  timestamptz not null,                      -- when something came first
  last_at   timestamptz not null,                      -- and last
  newest_at timestamptz not null,                      -- the newest time that its data carry
  offset_ms bigint,                                    -- from when they came to that time; NULL = not known yet
  gaps      bigint[] not null,                         -- ms between what came, five at most, the newest first
  objects   bigint not null,                           -- that it told of in the last 10 to 20 minutes
  primary key (kind, name, node)
);
comment on table sender is 'Who sends data to Peerlens, by the ingest node that takes them in.';

create table sender_rate (
  kind   text not null,
  name   text not null,
  node   text not null,
  bucket timestamptz not null,                         -- begin of five minutes
  lines  bigint not null,                              -- lines, elements of JSON or flow records
  primary key (kind, name, node, bucket)
);
