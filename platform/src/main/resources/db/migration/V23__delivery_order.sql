-- The next delivery of a target is the first entry, however many wait and however many are due at the same moment.
drop index delivery_due;
create index delivery_due on delivery (target_id, due_at, number) where status in ('waiting', 'retry');
