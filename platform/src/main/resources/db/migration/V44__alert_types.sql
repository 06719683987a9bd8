-- Type and sub-type of what raised an alert, as its author wrote them; null = none, and for alerts from before.
alter table alert
  add column type text,
  add column sub_type text;

-- Alerts that are open now have those of their rules.
update alert a
set type = coalesce(t.definition -> 'alert' ->> 'type', d.definition ->> 'type', g.definition -> 'alert' ->> 'type'),
  sub_type = coalesce(t.definition -> 'alert' ->> 'subType', d.definition ->> 'subType', g.definition -> 'alert' ->> 'subType')
from alert o
left join threshold t on t.id = o.definition_id
left join alert_definition d on d.id = o.definition_id
left join outlier_group g on g.id = o.definition_id
where o.id = a.id and a.status <> 'canceled';
