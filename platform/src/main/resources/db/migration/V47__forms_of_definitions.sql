-- The number of the form in which a definition is written (StoredForms); all before were of form 1. Versions of Peerlens that do not know the
-- column write form 1 only.
alter table alert_definition add column form smallint not null default 1;
alter table alert_definition_history add column form smallint not null default 1;
alter table lookup_table add column form smallint not null default 1;
alter table lookup_table_history add column form smallint not null default 1;
alter table notification_relay add column form smallint not null default 1;
alter table notification_relay_history add column form smallint not null default 1;
alter table notification_rule add column form smallint not null default 1;
alter table notification_rule_history add column form smallint not null default 1;
alter table notification_target add column form smallint not null default 1;
alter table notification_target_history add column form smallint not null default 1;
alter table notification_template add column form smallint not null default 1;
alter table notification_template_history add column form smallint not null default 1;
alter table object_group add column form smallint not null default 1;
alter table object_group_history add column form smallint not null default 1;
alter table outlier_group add column form smallint not null default 1;
alter table outlier_group_history add column form smallint not null default 1;
alter table silence add column form smallint not null default 1;
alter table silence_history add column form smallint not null default 1;
alter table talker_report add column form smallint not null default 1;
alter table talker_report_history add column form smallint not null default 1;
alter table threshold add column form smallint not null default 1;
alter table threshold_history add column form smallint not null default 1;
alter table maintenance_window add column form smallint not null default 1;
