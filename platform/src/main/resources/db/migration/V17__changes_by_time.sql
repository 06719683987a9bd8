-- Which rules changed near an event is asked by time.

create index outlier_group_history_at on outlier_group_history (at);
create index object_group_history_at on object_group_history (at);
create index super_metric_history_at on super_metric_history (at);
create index threshold_history_at on threshold_history (at);
create index alert_definition_history_at on alert_definition_history (at);
