-- An installation from before V33 made its last report when it was stopped for the upgrade; that pause counts as any other.
insert into ingest_reading (since, until)
select to_timestamp(0), max(updated_at) from ingest_node having max(updated_at) is not null
on conflict (only_row) do nothing;
