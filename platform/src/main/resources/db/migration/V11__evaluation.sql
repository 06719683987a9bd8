-- How far each shard of the evaluation is. Moved in the transaction that stores the results of a tick.
create table evaluation_shard (
  shard         int primary key,
  last_tick     timestamptz not null,               -- everything up to this moment is evaluated or left out
  next_tick     timestamptz not null,               -- the moment that is evaluated next
  node          text not null,
  evaluated_at  timestamptz not null,
  rules         int not null default 0,             -- due in the last tick
  results       bigint not null default 0,          -- values stored in the last tick
  failed        int not null default 0,             -- results that failed or exceeded their budget in the last tick
  load_ms       float8 not null default 0,
  compute_ms    float8 not null default 0,
  store_ms      float8 not null default 0,
  skipped_ticks bigint not null default 0,          -- left out because evaluators were away for too long, in all
  skipped_at    timestamptz,                        -- when that happened last
  error         text,                               -- why the shard does not go on; NULL = it does
  error_at      timestamptz
);
