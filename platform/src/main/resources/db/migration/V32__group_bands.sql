-- What is usual for groups of peers as a whole, by the hour of the week.

-- Medians of groups hour by hour: what bands are learned from. Arrays have one element for each metric; NaN = the group had no median.
create table outlier_hour (
  group_id uuid not null,
  hour     timestamptz not null,                      -- its begin
  basis    text not null,                             -- as that of outlier_bucket
  low      float4[] not null,                         -- the least median of a bucket
  mean     float4[] not null,
  high     float4[] not null,                         -- the greatest
  primary key (group_id, hour)
);
comment on table outlier_hour is 'Medians of peer groups hour by hour, from which is learned what is usual for the group as a whole.';

insert into outlier_hour (group_id, hour, basis, low, mean, high)
select distinct on (group_id, hour) group_id, hour, basis, array_agg(low order by m), array_agg(mean order by m),
  array_agg(high order by m)
from (
  select b.group_id, date_trunc('hour', b.bucket, 'UTC') as hour, b.basis, c.m,
    coalesce(min(c.centre) filter (where c.centre <> 'NaN'), 'NaN')::float4 as low,
    coalesce(avg(c.centre) filter (where c.centre <> 'NaN'), 'NaN')::float4 as mean,
    coalesce(max(c.centre) filter (where c.centre <> 'NaN'), 'NaN')::float4 as high
  from outlier_bucket b cross join lateral unnest(b.centre) with ordinality c(centre, m)
  where b.bucket < date_trunc('hour', now())
  group by 1, 2, 3, 4) x
group by group_id, hour, basis
order by group_id, hour, basis;

alter table outlier_learned add column shift bytea;   -- whether the median is where it usually is; NULL = nobody asked
alter table outlier_bucket
  add column usual_lower float8[],                    -- what was usual for the median, for each metric; NULL = nobody asked
  add column usual_upper float8[];
alter table outlier_state add column usual jsonb;     -- what is usual for the median, for each metric; NULL = nobody asked
