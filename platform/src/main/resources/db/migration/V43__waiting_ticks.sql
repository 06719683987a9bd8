-- What the next tick of a shard waits for, beside its time; null = for nothing.
alter table evaluation_shard
  add column waits_for text,
  add column waiting_since timestamptz;
