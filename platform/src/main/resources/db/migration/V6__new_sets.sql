-- How many metric sets were new in the minute that the node reports of.
alter table ingest_node add column new_sets int not null default 0;

-- The guards are kept as the contract writes them.
update setting
set value = jsonb_strip_nulls(value - 'newMetricsPerMinute' - 'maxFutureSeconds' || jsonb_build_object(
      'newMetricNamesPerMinute', value -> 'newMetricsPerMinute', 'maxFuture', (value ->> 'maxFutureSeconds') || 's'))
where name = 'ingest-guards' and value -> 'maxFutureSeconds' is not null;
