-- The delivery log is asked by rule, template, time, what failed, and the object of the alert.

create index delivery_rule on delivery (rule_id, number);
create index delivery_template on delivery (template, number);
create index delivery_created on delivery (created_at);
create index delivery_failed on delivery (number) where status in ('dead', 'dropped') or reason is not null;
create index alert_object on alert (object_id);
