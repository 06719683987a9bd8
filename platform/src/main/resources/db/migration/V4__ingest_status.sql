-- What ingest nodes report of themselves, so that any node can answer the API.

create table ingest_node (
  node        text primary key,
  started_at  timestamptz not null,
  updated_at  timestamptz not null,
  partitions  jsonb not null,       -- [{"topic", "partition", "lag", "recordsPerSecond"}]
  mappings    jsonb not null,       -- [{"file", "measurement", "objectKind", "series"}]
  minute      timestamptz not null, -- which the two columns below count in
  new_objects int not null,
  new_metrics int not null,
  trouble     text not null         -- what keeps it from storing; '' = nothing
);

-- What each node did in some ten seconds; kept for a day.
create table ingest_rate (
  time          timestamptz not null, -- end of those seconds
  node          text not null,
  seconds       float8 not null,      -- how many they were
  points        bigint not null,
  rows          bigint not null,
  records       bigint not null,
  bytes         bigint not null,
  lag           bigint not null,      -- records waiting in the node's partitions at the end
  batch_records int[] not null,       -- of each batch, these four in the same order
  batch_rows    int[] not null,
  batch_points  int[] not null,
  batch_millis  float4[] not null,    -- from begin to commit
  primary key (time, node)
);

-- Counted in the transaction that stores the dead letters, so it is exact whatever is killed when. A row for each node, so
-- that no node waits for another. Minutes of past days are added up into one row for each day, with node ''.
create table ingest_rejected (
  minute    timestamptz not null,
  reason    text not null,
  node      text not null,
  count     bigint not null,
  newest_at timestamptz not null,
  primary key (minute, reason, node)
);
