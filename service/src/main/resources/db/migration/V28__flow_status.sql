-- When ends of flows and their observers were met last: to the hour for ends, which are many, to the minute for
-- observers.
alter table endpoint add column last_seen timestamptz not null default now();
alter table flow_observer add column last_seen timestamptz not null default now();

-- What of the rejected was metrics and what flows.
alter table ingest_rejected add column input text not null default 'metrics' check (input in ('metrics', 'flows'));
alter table ingest_rejected drop constraint ingest_rejected_pkey;
alter table ingest_rejected add primary key (minute, reason, node, input);

-- What nodes report of their reading of flows, as ingest_node and ingest_rate are of samples.
create table flow_node (
  node         text primary key,
  updated_at   timestamptz not null,
  partitions   jsonb not null,       -- [{"topic", "partition", "lag", "recordsPerSecond"}]
  beyond_guard bigint not null,      -- times an internal address got no object since the node started
  trouble      text not null         -- what keeps it from storing; '' = nothing
);
create table flow_rate (
  time    timestamptz not null,      -- end of some ten seconds
  node    text not null,
  seconds float8 not null,           -- how many they were
  records bigint not null,           -- Kafka records
  bytes   bigint not null,           -- of the Kafka records
  flows   bigint not null,           -- flow records
  rows    bigint not null,           -- sums by minute
  late    bigint not null,           -- of those, into 5 minutes that may have been rolled up before
  lag     bigint not null,           -- records waiting in the node's partitions at the end
  millis  float8,                    -- mean time of a commit; NULL = there was none
  primary key (time, node)
);
