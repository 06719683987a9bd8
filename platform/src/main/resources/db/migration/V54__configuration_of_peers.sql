-- Members of peer groups are compared in their properties, too.

-- Who differs from its peers in which property since when, whether that has lasted long enough for an event or not. Written with
-- each tick by the evaluation loop, which goes on from here when another process takes a shard over.
create table outlier_difference (
  group_id  uuid not null references outlier_group on delete cascade,
  object_id int not null references object on delete cascade,
  key       text not null,
  value     text not null,                            -- what the object has
  common    text not null,                            -- what nearly all of its peers have
  agree     int not null,                             -- how many have that
  judged    int not null,                             -- how many have the property
  since     timestamptz not null,                     -- end of the first bucket in which it differed
  primary key (group_id, object_id, key)
);
create index outlier_difference_object on outlier_difference (object_id);
comment on table outlier_difference is 'Members of peer groups that differ from nearly all of their peers in a property.';

-- Events of configuration have no score, and neither side.
alter table outlier_event
  alter column side drop not null,                    -- NULL = it is about properties
  alter column peak_score drop not null,
  add column properties jsonb not null default '[]';  -- in which the member differs; empty = it is about metrics

create or replace view outlier as
select e.number, e.group_name as "group", o.name as object, o.adapter_kind, o.object_kind, e.status, e.side,
       (array['information', 'warning', 'immediate', 'critical'])[e.severity] as severity, e.since, e.opened_at, e.closed_at,
       e.close_reason, coalesce(e.closed_at, now()) - e.since as duration, e.score, e.peak_score, e.flaps,
       e.metrics -> 0 ->> 'key' as metric, (e.metrics -> 0 ->> 'value')::float8 as value,
       (e.metrics -> 0 ->> 'centre')::float8 as centre, e.explanation ->> 'text' as explanation,
       e.archived_at is not null as archived, e.id, e.group_id, o.uuid as object_id, e.evidence,
       e.properties -> 0 ->> 'key' as property, e.properties -> 0 ->> 'value' as property_value,
       e.properties -> 0 ->> 'common' as property_of_peers
from outlier_event e left join object o on o.id = e.object_id;
