-- More views for Grafana and other clients of SQL: alerts, changes, properties and learned bounds.

-- Alerts, open and closed. They are kept for as long as the history of alerts.
create view alerts as
select a.number,
       a.definition_name as name,
       o.name as object, o.adapter_kind, o.object_kind,
       (array['information', 'warning', 'immediate', 'critical'])[a.severity] as severity,
       case when a.canceled_at is null then 'open' else 'closed' end as status,
       a.control_state,
       a.unknown,
       a.since, a.opened_at, a.updated_at, a.canceled_at as closed_at, a.cancel_reason as close_reason,
       coalesce(a.canceled_at, now()) - a.opened_at as duration,
       a.impact, a.type, a.sub_type, a.source,
       a.owner, a.acknowledged_by, a.acknowledged_at, a.suspended_until,
       a.flaps,
       a.explanation ->> 'key' as metric,
       (a.explanation ->> 'value')::float8 as value,
       a.explanation ->> 'valueText' as value_text,
       (a.explanation ->> 'bound')::float8 as bound,
       a.explanation ->> 'unit' as unit,
       a.explanation ->> 'text' as explanation,
       i.number as incident,
       a.id, a.definition_id, o.uuid as object_id
from alert a
join object o on o.id = a.object_id
left join lateral (
  select n.number from incident_alert m join incident n on n.id = m.incident_id
  where m.alert_id = a.id and m.left_at is null
  order by m.joined_at desc limit 1
) i on true;

comment on view alerts is 'Alerts, open and closed.';

-- What changed on objects, as the history of an object shows it, and what people and other systems recorded.
create view changes as
select c.time, r.until,
       c.kind, c.key, c.old_value as before, c.new_value as after,
       o.name as object, o.adapter_kind, o.object_kind,
       r.author, r.note, r.goal,
       c.id, o.uuid as object_id
from object_change c
join object o on o.id = c.object_id
left join recorded_change r on r.change_id = c.id;

comment on view changes is 'Changes of objects.';

-- Properties and tags of objects as they are now.
create view properties as
select o.name as object, o.adapter_kind, o.object_kind, p.key, p.value, false as tag, o.uuid as object_id
from object o cross join lateral jsonb_each_text(o.properties) p
where o.removed_at is null
union all
select o.name, o.adapter_kind, o.object_kind, t.key, t.value, true, o.uuid
from object o cross join lateral jsonb_each_text(o.tags) t
where o.removed_at is null;

comment on view properties is 'Properties and tags of objects as they are now.';

-- The float that four bytes are, the first one highest; null for NaN, which stands for nothing learned.
create function float4_at(bytes bytea, at int) returns float8
language sql immutable parallel safe strict
return (
  select case
    when exponent = 255 then null
    when exponent = 0 then sign * mantissa * 2::float8 ^ -149
    else sign * (mantissa + 8388608) * 2::float8 ^ (exponent - 150)
  end
  from (
    select case when bits >> 31 = 1 then -1 else 1 end as sign, (bits >> 23) & 255 as exponent, (bits & 8388607)::float8 as mantissa
    from (
      select (get_byte(bytes, at)::bigint << 24) + (get_byte(bytes, at + 1) << 16) + (get_byte(bytes, at + 2) << 8) + get_byte(bytes, at + 3) as bits
    ) b
  ) f
);

-- Learned bounds, an hour of a series in a row, widened as thresholds of medium sensitivity have them. Filter on time, and on object
-- or metric: a row is computed from its block.
create view bounds as
select k.day + make_interval(hours => b.hour) as time,
       o.name as object, o.adapter_kind, o.object_kind as kind,
       g.name as "group", m.instance, p.metric,
       l.lower - 2 * l.spread as lower,
       l.upper + 2 * l.spread as upper,
       g.units[k.first_position + p.position] as unit,
       o.uuid as object_id
from learned_block k
join learned_band b on b.block_id = k.id
join metric_group g on g.id = k.group_id
cross join lateral unnest(g.metrics[k.first_position + 1 : k.first_position + k.width]) with ordinality as p(metric, position)
cross join lateral unnest(k.set_ids) with ordinality as s(set_id, place)
join metric_set m on m.id = s.set_id
join object o on o.id = m.object_id
cross join lateral (
  select float4_at(b.lower, (4 * (k.sets * (p.position - 1) + s.place - 1))::int) as lower,
         float4_at(b.upper, (4 * (k.sets * (p.position - 1) + s.place - 1))::int) as upper,
         float4_at(k.spread, (4 * (k.sets * (p.position - 1) + s.place - 1))::int) as spread
) l
where k.since <= now() and l.lower is not null and l.upper is not null and l.spread is not null;

comment on view bounds is 'Learned bounds by hour, of medium sensitivity.';

-- Objects that are not removed, with the names of what a virtual machine or host is in.
create view objects as
select o.name as object, o.adapter_kind, o.object_kind,
       o.properties ->> 'summary|parentHost' as host,
       o.properties ->> 'summary|parentCluster' as cluster,
       o.properties ->> 'summary|parentDatacenter' as datacenter,
       o.properties ->> 'summary|parentVcenter' as vcenter,
       o.first_seen, l.last_seen,
       o.uuid as object_id
from object o left join object_liveness l on l.object_id = o.id
where o.removed_at is null;

comment on view objects is 'Objects that are not removed.';
