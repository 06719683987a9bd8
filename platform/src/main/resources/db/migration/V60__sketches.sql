-- Percentiles beyond raw samples. An hour that is rolled up while its raw samples are there keeps a sketch of them, one for
-- each position, in the form of ValueSketch.java. NULL, or a NULL element: the hour has one value or equal ones, so least and
-- greatest say all; or its raw samples were gone, as for all hours before this migration.
alter table sample_1h add sketches bytea[];
comment on column sample_1h.sketches is
  'Sketches of the raw values of the hour, by position (DDSketch, relative error 1 %, packed); for percentiles of the API, not for SQL.';

-- Hours whose raw samples are still there get their sketches afterwards, oldest first and one a minute, so that this does not
-- hold up the work of the day.
insert into rollup_dirty (bucket, level, noted_at)
select hour, '1h', now() + row_number() over (order by hour) * interval '1 minute'
from level_state raw, level_state rolled,
  generate_series(
    date_trunc('hour', greatest(raw.kept_from, rolled.rolled_until - interval '60 days'), 'UTC'),
    rolled.rolled_until - interval '1 hour', interval '1 hour') hour
where raw.level = 'raw' and rolled.level = '1h' and exists (select from sample_1h s where s.time = hour);
