-- A value in the history of an outlier event says of which metric it is; another metric may lead later.

alter table outlier_event_history
  add column metric text,  -- key of the metric that said most then; NULL = not known, as in steps of before
  add column unit   text;  -- its unit; NULL = none, or not known
