-- Who wants an alert to be canceled, which the next tick does; null = nobody does, or it has ended otherwise.
alter table alert add column cancel_by text;
create index alert_unwanted on alert (id) where cancel_by is not null and status <> 'canceled';
