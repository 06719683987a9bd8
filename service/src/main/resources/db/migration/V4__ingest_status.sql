-- What ingest nodes report of themselves, so that any node can answer the API.

create table ingest_node (
  node       text primary key,
  started_at timestamptz not null,
  updated_at timestamptz not null,
  partitions jsonb not null,        -- [{"topic", "partition", "lag"}]
  mappings   jsonb not null,        -- [{"file", "measurement", "objectKind", "series"}]
  trouble    text not null          -- what keeps it from storing; '' = nothing
);

-- What each node did in ten seconds; kept for a day.
create table ingest_rate (
  time         timestamptz not null,
  node         text not null,
  points       bigint not null,
  rows         bigint not null,
  records      bigint not null,
  bytes        bigint not null,
  rejected     bigint not null,
  batches      bigint not null,
  write_millis bigint not null,     -- sum over the batches
  lag          bigint not null,     -- records waiting in the node's partitions at the end
  primary key (time, node)
);

create table ingest_rejected (
  hour   timestamptz not null,
  reason text not null,
  count  bigint not null,
  primary key (hour, reason)
);
