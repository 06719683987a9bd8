-- The schema after all migrations, as PostgreSQL tells it. Made by SchemaDocumentIT; do not edit.
-- On TimescaleDB sample, sample_5m, sample_1h and flow_part are hypertables.

-- What is wrong now, and what was.
create table public.alert (
  id uuid not null,
  number bigint generated always as identity not null,
  definition_id uuid not null,
  source text not null,
  definition_name text not null,
  object_id integer not null,
  impact text not null,
  severity smallint not null,
  status text not null,
  since timestamp with time zone not null,
  opened_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  canceled_at timestamp with time zone,
  cancel_reason text,
  unknown boolean default false not null,
  last_tick timestamp with time zone not null,
  quiet integer default 0 not null,
  quiet_since timestamp with time zone,
  openings timestamp with time zone[] not null,
  flaps integer default 0 not null,
  flapping boolean default false not null,
  owner text,
  acknowledged_by text,
  acknowledged_at timestamp with time zone,
  suspended_until timestamp with time zone,
  maintenance_id uuid,
  maintenance_name text,
  control_state text generated always as 
CASE
    WHEN (maintenance_id IS NOT NULL) THEN 'suppressed'::text
    WHEN (suspended_until IS NOT NULL) THEN 'suspended'::text
    WHEN (acknowledged_by IS NOT NULL) THEN 'acknowledged'::text
    ELSE 'open'::text
END stored not null,
  member_count integer not null,
  members jsonb not null,
  member_print bigint not null,
  explanation jsonb not null,
  recommendations text[] not null,
  note_count integer default 0 not null,
  around jsonb,
  type text,
  sub_type text,
  cancel_by text,
  PRIMARY KEY (id),
  UNIQUE (number),
  FOREIGN KEY (object_id) REFERENCES object(id) ON DELETE CASCADE,
  CHECK (((severity >= 1) AND (severity <= 4))),
  CHECK ((impact = ANY (ARRAY['health'::text, 'risk'::text, 'efficiency'::text]))),
  CHECK ((source = ANY (ARRAY['threshold'::text, 'alert-definition'::text, 'outlier-group'::text, 'talker-report'::text]))),
  CHECK ((status = ANY (ARRAY['new'::text, 'active'::text, 'updated'::text, 'canceled'::text])))
);
create index alert_canceled ON public.alert USING btree (canceled_at) WHERE (canceled_at IS NOT NULL);
create index alert_definition_object ON public.alert USING btree (definition_id, object_id, opened_at);
create index alert_object ON public.alert USING btree (object_id);
create index alert_open_object ON public.alert USING btree (object_id) WHERE (status <> 'canceled'::text);
create index alert_opened ON public.alert USING btree (opened_at);
create index alert_suspended ON public.alert USING btree (suspended_until) WHERE ((suspended_until IS NOT NULL) AND (status <> 'canceled'::text));
create index alert_unwanted ON public.alert USING btree (id) WHERE ((cancel_by IS NOT NULL) AND (status <> 'canceled'::text));
create UNIQUE index alert_one_open ON public.alert USING btree (definition_id, object_id) WHERE (status <> 'canceled'::text);

-- Rules that combine thresholds on an object and its neighbours into alerts.
create table public.alert_definition (
  id uuid not null,
  name text not null,
  definition jsonb not null,
  pack text,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  form smallint default 1 not null,
  PRIMARY KEY (id),
  UNIQUE (name) DEFERRABLE INITIALLY DEFERRED
);

create table public.alert_definition_history (
  alert_definition_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  definition jsonb not null,
  pack text,
  form smallint default 1 not null,
  PRIMARY KEY (alert_definition_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'restored'::text, 'deleted'::text])))
);
create index alert_definition_history_at ON public.alert_definition_history USING btree (at);

create table public.alert_history (
  id bigint generated always as identity not null,
  xid xid8 default pg_current_xact_id() not null,
  alert_id uuid not null,
  at timestamp with time zone not null,
  event text not null,
  by text,
  severity smallint not null,
  value double precision,
  text text,
  bound double precision,
  upper double precision,
  note text,
  explanation text,
  PRIMARY KEY (id),
  FOREIGN KEY (alert_id) REFERENCES alert(id) ON DELETE CASCADE
);
create index alert_history_alert ON public.alert_history USING btree (alert_id, id);
create index alert_history_xid ON public.alert_history USING btree (xid, id);

create table public.alert_outbox (
  id bigint generated always as identity not null,
  alert_id uuid not null,
  history_id bigint not null,
  event text not null,
  at timestamp with time zone not null,
  PRIMARY KEY (id),
  FOREIGN KEY (alert_id) REFERENCES alert(id) ON DELETE CASCADE,
  FOREIGN KEY (history_id) REFERENCES alert_history(id) ON DELETE CASCADE
);
create index alert_outbox_alert ON public.alert_outbox USING btree (alert_id);
create index alert_outbox_at ON public.alert_outbox USING btree (at);
create index alert_outbox_history ON public.alert_outbox USING btree (history_id);

create table public.alert_pending (
  definition_id uuid not null,
  object_id integer not null,
  cycles integer not null,
  last_tick timestamp with time zone not null,
  PRIMARY KEY (definition_id, object_id),
  FOREIGN KEY (object_id) REFERENCES object(id) ON DELETE CASCADE
);

-- API tokens of people and programs; revoked ones stay as a record.
create table public.api_token (
  id uuid not null,
  name text not null,
  role text not null,
  secret_hash bytea not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  start text,
  bound_to uuid,
  PRIMARY KEY (id),
  UNIQUE (secret_hash),
  CHECK (((role = 'link'::text) = (bound_to IS NOT NULL))),
  CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'admin'::text, 'ingest'::text, 'screen'::text, 'link'::text])))
);
create index api_token_bound_to_idx ON public.api_token USING btree (bound_to) WHERE (bound_to IS NOT NULL);

-- Who did what, from where, with which outcome; entries are only added.
create table public.audit_entry (
  id bigint not null,
  at timestamp with time zone not null,
  until timestamp with time zone,
  count integer not null,
  token_id uuid,
  token_name text,
  role text,
  session text,
  address text,
  user_agent text,
  request_id text,
  operation text not null,
  kind text,
  object text,
  object_name text,
  related text[] not null,
  outcome text not null,
  status integer,
  error text,
  version_before bigint,
  version_after bigint,
  details jsonb not null,
  PRIMARY KEY (id),
  CHECK ((count > 0)),
  CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'refused'::text, 'failed'::text, 'unknown'::text])))
);
create index audit_entry_at ON public.audit_entry USING btree (at, id);
create index audit_entry_related ON public.audit_entry USING gin (related);

create table public.audit_export (
  name text not null,
  after_id bigint not null,
  PRIMARY KEY (name)
);

create table public.audit_open (
  id uuid not null,
  started_at timestamp with time zone not null,
  entry jsonb not null,
  PRIMARY KEY (id)
);

-- Files with results of benchmarks.
create table public.benchmark_import (
  id uuid not null,
  job_id uuid not null,
  file_name text not null,
  size bigint not null,
  state text not null,
  problems jsonb default '[]'::jsonb not null,
  imported_at timestamp with time zone not null,
  imported_by text not null,
  PRIMARY KEY (id),
  CHECK ((state = ANY (ARRAY['reading'::text, 'done'::text, 'failed'::text])))
);

-- The files as they came, in parts of one megabyte.
create table public.benchmark_import_part (
  import_id uuid not null,
  part integer not null,
  content bytea not null,
  PRIMARY KEY (import_id, part),
  FOREIGN KEY (import_id) REFERENCES benchmark_import(id) ON DELETE CASCADE
);

-- Runs of benchmarks.
create table public.benchmark_run (
  id uuid not null,
  import_id uuid not null,
  "position" integer not null,
  tested_id integer,
  change_id bigint,
  tool text not null,
  version text not null,
  name text not null,
  note text default ''::text not null,
  reference boolean default false not null,
  start timestamp with time zone,
  measured_seconds double precision,
  parameters jsonb not null,
  own_parameters jsonb default '{}'::jsonb not null,
  figures jsonb not null,
  latencies jsonb not null,
  remarks jsonb not null,
  series bytea not null,
  PRIMARY KEY (id),
  FOREIGN KEY (import_id) REFERENCES benchmark_import(id),
  FOREIGN KEY (tested_id) REFERENCES object(id) ON DELETE SET NULL
);
create index benchmark_run_import_id_position_idx ON public.benchmark_run USING btree (import_id, "position");
create index benchmark_run_tested_id_idx ON public.benchmark_run USING btree (tested_id);

create table public.browser_session (
  secret_hash bytea not null,
  token_id uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  id uuid default gen_random_uuid() not null,
  address text,
  agent text,
  PRIMARY KEY (secret_hash),
  UNIQUE (id),
  FOREIGN KEY (token_id) REFERENCES api_token(id) ON DELETE CASCADE
);
create index browser_session_token ON public.browser_session USING btree (token_id);

-- Who told of a recorded change; several may have told of one.
create table public.change_source (
  source text not null,
  source_id text not null,
  change_id bigint not null,
  teller text not null,
  chain bigint,
  PRIMARY KEY (source, source_id),
  FOREIGN KEY (change_id) REFERENCES object_change(id) ON DELETE CASCADE,
  CHECK ((teller = ANY (ARRAY['event'::text, 'task'::text, 'failed'::text, 'api'::text])))
);
create index change_source_change ON public.change_source USING btree (change_id);

create table public.collector_node (
  holder uuid not null,
  node text not null,
  started_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  kinds text[] not null,
  PRIMARY KEY (holder)
);

-- Dashboards: panels about objects that are chosen by rule.
create table public.dashboard (
  id uuid not null,
  name text not null,
  definition json not null,
  form smallint default 1 not null,
  pack text,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  PRIMARY KEY (id)
);

create table public.dashboard_history (
  dashboard_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  definition json not null,
  form smallint default 1 not null,
  pack text,
  PRIMARY KEY (dashboard_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'restored'::text, 'deleted'::text])))
);

-- Public links to dashboards.
create table public.dashboard_link (
  token_id uuid not null,
  definition json not null,
  PRIMARY KEY (token_id),
  FOREIGN KEY (token_id) REFERENCES api_token(id) ON DELETE CASCADE
);

-- Files that dashboards and views were imported from, while one of these is stored.
create table public.dashboard_original (
  id uuid not null,
  file_name text not null,
  size bigint not null,
  content bytea not null,
  imported_at timestamp with time zone not null,
  imported_by text not null,
  PRIMARY KEY (id)
);

create table public.dashboard_original_item (
  item_id uuid not null,
  original_id uuid not null,
  PRIMARY KEY (item_id),
  FOREIGN KEY (original_id) REFERENCES dashboard_original(id) ON DELETE CASCADE
);
create index dashboard_original_item_original_id_idx ON public.dashboard_original_item USING btree (original_id);

create table public.dashboard_version (
  one boolean default true not null,
  version bigint not null,
  PRIMARY KEY (one),
  CHECK (one)
);

-- Views: named questions about objects, which panels of dashboards show.
create table public.dashboard_view (
  id uuid not null,
  name text not null,
  definition json not null,
  form smallint default 1 not null,
  pack text,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  PRIMARY KEY (id)
);

create table public.dashboard_view_history (
  dashboard_view_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  definition json not null,
  form smallint default 1 not null,
  pack text,
  PRIMARY KEY (dashboard_view_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'restored'::text, 'deleted'::text])))
);

create table public.dead_letter (
  id bigint generated always as identity not null,
  received_at timestamp with time zone not null,
  topic text not null,
  partition integer not null,
  "offset" bigint not null,
  line integer not null,
  record_time timestamp with time zone,
  reason text not null,
  detail text not null,
  payload bytea not null,
  published_at timestamp with time zone,
  replayed_at timestamp with time zone,
  PRIMARY KEY (id),
  UNIQUE (topic, partition, "offset", line)
);
create index dead_letter_reason ON public.dead_letter USING btree (reason, id);
create index dead_letter_received ON public.dead_letter USING btree (received_at);
create index dead_letter_unpublished ON public.dead_letter USING btree (id) WHERE (published_at IS NULL);

-- Every notification: waiting, sent, or given up.
create table public.delivery (
  id uuid not null,
  number bigint generated always as identity not null,
  target_id uuid not null,
  target_name text not null,
  rule_id uuid,
  rule_name text,
  subject_id uuid not null,
  alert_number bigint,
  alert_name text not null,
  object_name text,
  criticality text,
  event text not null,
  change text not null,
  sequence integer not null,
  template text not null,
  template_version text not null,
  template_hash text not null,
  message jsonb,
  context jsonb,
  status text not null,
  attempts integer default 0 not null,
  reached boolean default false not null,
  reason text,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  lease_node text,
  lease_until timestamp with time zone,
  PRIMARY KEY (id),
  UNIQUE (number),
  CHECK ((event = ANY (ARRAY['NEW'::text, 'UPDATE'::text, 'CANCEL'::text, 'REPORT'::text]))),
  CHECK ((status = ANY (ARRAY['waiting'::text, 'sending'::text, 'retry'::text, 'delivered'::text, 'unconfirmed'::text, 'dead'::text, 'dropped'::text])))
);
create index delivery_created ON public.delivery USING btree (created_at);
create index delivery_due ON public.delivery USING btree (target_id, due_at, number) WHERE (status = ANY (ARRAY['waiting'::text, 'retry'::text]));
create index delivery_ended ON public.delivery USING btree (ended_at) WHERE (ended_at IS NOT NULL);
create index delivery_failed ON public.delivery USING btree (number) WHERE ((status = ANY (ARRAY['dead'::text, 'dropped'::text])) OR (reason IS NOT NULL));
create index delivery_leased ON public.delivery USING btree (lease_until) WHERE (status = 'sending'::text);
create index delivery_new ON public.delivery USING btree (target_id, created_at) WHERE (event = 'NEW'::text);
create index delivery_open ON public.delivery USING btree (target_id, subject_id, number) WHERE (status = ANY (ARRAY['waiting'::text, 'retry'::text, 'sending'::text]));
create index delivery_rule ON public.delivery USING btree (rule_id, number);
create index delivery_subject ON public.delivery USING btree (subject_id, number);
create index delivery_target ON public.delivery USING btree (target_id, number);
create index delivery_template ON public.delivery USING btree (template, number);

create table public.delivery_attempt (
  delivery_id uuid not null,
  number integer not null,
  at timestamp with time zone not null,
  node text not null,
  took_ms double precision not null,
  verdict text not null,
  reason text,
  sent jsonb not null,
  answer jsonb,
  PRIMARY KEY (delivery_id, number),
  FOREIGN KEY (delivery_id) REFERENCES delivery(id) ON DELETE CASCADE
);

create table public.delivery_member (
  delivery_id uuid not null,
  alert_id uuid not null,
  PRIMARY KEY (delivery_id, alert_id),
  FOREIGN KEY (delivery_id) REFERENCES delivery(id) ON DELETE CASCADE
);
create index delivery_member_alert ON public.delivery_member USING btree (alert_id);

create table public.endpoint (
  id integer generated always as identity not null,
  address inet,
  object_id integer,
  network_id integer,
  internal boolean not null,
  first_seen timestamp with time zone not null,
  last_seen timestamp with time zone default now() not null,
  PRIMARY KEY (id),
  FOREIGN KEY (network_id) REFERENCES flow_network(id),
  FOREIGN KEY (object_id) REFERENCES object(id) ON DELETE SET NULL,
  CHECK (((address IS NOT NULL) OR (object_id IS NULL)))
);
create index endpoint_network ON public.endpoint USING btree (network_id) WHERE (network_id IS NOT NULL);
create index endpoint_object ON public.endpoint USING btree (object_id) WHERE (object_id IS NOT NULL);
create UNIQUE index endpoint_address ON public.endpoint USING btree (address, object_id) WHERE (address IS NOT NULL);
create UNIQUE index endpoint_folded ON public.endpoint USING btree (internal, network_id) NULLS NOT DISTINCT WHERE (address IS NULL);

create table public.evaluation_shard (
  shard integer not null,
  last_tick timestamp with time zone not null,
  next_tick timestamp with time zone not null,
  node text not null,
  evaluated_at timestamp with time zone not null,
  rules integer default 0 not null,
  results bigint default 0 not null,
  failed integer default 0 not null,
  load_ms double precision default 0 not null,
  compute_ms double precision default 0 not null,
  store_ms double precision default 0 not null,
  skipped_ticks bigint default 0 not null,
  skipped_at timestamp with time zone,
  error text,
  error_at timestamp with time zone,
  threshold_ms double precision default 0 not null,
  alert_ms double precision default 0 not null,
  thresholds integer default 0 not null,
  open_symptoms bigint default 0 not null,
  open_alerts bigint default 0 not null,
  transitions integer default 0 not null,
  outlier_ms double precision default 0 not null,
  outlier_groups integer default 0 not null,
  open_outliers bigint default 0 not null,
  waits_for text,
  waiting_since timestamp with time zone,
  PRIMARY KEY (shard)
);

create table public.event_waiting (
  source text not null,
  source_id text not null,
  topic text not null,
  partition integer not null,
  "offset" bigint not null,
  line integer not null,
  record_time timestamp with time zone,
  object text not null,
  payload bytea not null,
  received_at timestamp with time zone not null,
  next_try_at timestamp with time zone not null,
  PRIMARY KEY (source, source_id)
);
create index event_waiting_next ON public.event_waiting USING btree (next_try_at);

create table public.flow_1d (
  "time" timestamp with time zone not null,
  bytes bigint not null,
  packets bigint not null,
  flows bigint not null,
  sessions bigint not null,
  resets bigint not null,
  drops bigint not null,
  peak bigint not null,
  keys bigint not null,
  src integer not null,
  dst integer not null,
  port integer not null,
  proto smallint not null,
  to_service boolean not null
);
create index flow_1d_dst ON public.flow_1d USING btree (dst, "time");
create index flow_1d_src ON public.flow_1d USING btree (src, "time");
create index flow_1d_time ON public.flow_1d USING brin ("time");

create table public.flow_1h (
  "time" timestamp with time zone not null,
  bytes bigint not null,
  packets bigint not null,
  flows bigint not null,
  sessions bigint not null,
  resets bigint not null,
  drops bigint not null,
  peak bigint not null,
  keys bigint not null,
  src integer not null,
  dst integer not null,
  port integer not null,
  proto smallint not null,
  to_service boolean not null
);
create index flow_1h_dst ON public.flow_1h USING btree (dst, "time");
create index flow_1h_src ON public.flow_1h USING btree (src, "time");
create index flow_1h_time ON public.flow_1h USING brin ("time");

create table public.flow_5m (
  "time" timestamp with time zone not null,
  bytes bigint not null,
  packets bigint not null,
  flows bigint not null,
  sessions bigint not null,
  resets bigint not null,
  drops bigint not null,
  peak bigint not null,
  keys bigint not null,
  src integer not null,
  dst integer not null,
  port integer not null,
  proto smallint not null,
  to_service boolean not null
);
create index flow_5m_dst ON public.flow_5m USING btree (dst, "time");
create index flow_5m_src ON public.flow_5m USING btree ("time", src);

create table public.flow_bucket (
  level text not null,
  "time" timestamp with time zone not null,
  bytes bigint not null,
  folded_bytes bigint not null,
  folded_keys bigint not null,
  duplicate_bytes bigint not null,
  duplicate_rows bigint not null,
  PRIMARY KEY (level, "time"),
  CHECK ((level = ANY (ARRAY['5m'::text, '1h'::text, '1d'::text])))
);

create table public.flow_dirty (
  bucket timestamp with time zone not null,
  level text default '5m'::text not null,
  noted_at timestamp with time zone default now() not null,
  CHECK ((level = ANY (ARRAY['5m'::text, '1h'::text, '1d'::text])))
);

create table public.flow_exporter (
  address inet not null,
  version smallint not null,
  sampler bigint not null,
  population bigint not null,
  sampled bigint not null,
  system_start timestamp with time zone,
  told_at timestamp with time zone not null,
  PRIMARY KEY (address, version, sampler)
);

create table public.flow_level_state (
  level text not null,
  rolled_until timestamp with time zone,
  kept_from timestamp with time zone default '-infinity'::timestamp with time zone not null,
  PRIMARY KEY (level),
  CHECK ((level = ANY (ARRAY['1m'::text, '5m'::text, '1h'::text, '1d'::text])))
);

create table public.flow_network (
  id integer generated always as identity not null,
  name text not null,
  PRIMARY KEY (id),
  UNIQUE (name)
);

create table public.flow_networks_version (
  version bigint generated always as identity not null,
  format text not null,
  text text not null,
  networks integer not null,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  definition jsonb default '[]'::jsonb not null,
  PRIMARY KEY (version),
  CHECK ((format = ANY (ARRAY['yaml'::text, 'csv'::text])))
);

create table public.flow_node (
  node text not null,
  updated_at timestamp with time zone not null,
  partitions jsonb not null,
  beyond_guard bigint not null,
  trouble text not null,
  PRIMARY KEY (node)
);

create table public.flow_observer (
  id integer generated always as identity not null,
  exporter inet not null,
  domain bigint not null,
  version smallint not null,
  first_seen timestamp with time zone not null,
  last_seen timestamp with time zone default now() not null,
  PRIMARY KEY (id),
  UNIQUE (exporter, domain, version)
);

create table public.flow_part (
  "time" timestamp with time zone not null,
  bytes bigint not null,
  packets bigint not null,
  drops bigint not null,
  observer integer not null,
  src integer not null,
  dst integer not null,
  port integer not null,
  flows integer not null,
  sessions integer not null,
  resets integer not null,
  proto smallint not null,
  to_service boolean not null,
  egress boolean not null
);
create index flow_part_time ON public.flow_part USING brin ("time") WITH (pages_per_range='32', autosummarize='on');

create table public.flow_rate (
  "time" timestamp with time zone not null,
  node text not null,
  seconds double precision not null,
  records bigint not null,
  bytes bigint not null,
  flows bigint not null,
  rows bigint not null,
  late bigint not null,
  lag bigint not null,
  millis double precision,
  PRIMARY KEY ("time", node)
);

create table public.flow_replayed (
  dead_letter bigint not null,
  counted_at timestamp with time zone not null,
  PRIMARY KEY (dead_letter)
);

create table public.flow_service (
  protocol smallint not null,
  port integer not null,
  name text not null,
  PRIMARY KEY (protocol, port)
);

create table public.flow_talk (
  object_id integer not null,
  covered_from timestamp with time zone not null,
  talked_at timestamp with time zone not null,
  PRIMARY KEY (object_id),
  FOREIGN KEY (object_id) REFERENCES object(id) ON DELETE CASCADE
) with {fillfactor=50};
create index flow_talk_at ON public.flow_talk USING btree (talked_at);

-- Alerts of relays, and notices about the installation.
create table public.foreign_alert (
  id uuid not null,
  number bigint generated always as identity not null,
  source text not null,
  key text not null,
  open boolean not null,
  context jsonb not null,
  digest text not null,
  opened_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  began_at timestamp with time zone,
  said_at timestamp with time zone,
  PRIMARY KEY (id),
  UNIQUE (source, key)
);
create index foreign_alert_source ON public.foreign_alert USING btree (source, updated_at DESC, id);
create index foreign_alert_updated ON public.foreign_alert USING btree (updated_at) WHERE (NOT open);

-- Alerts that share a cause, as one thing to take, tell and close.
create table public.incident (
  id uuid not null,
  number bigint generated always as identity not null,
  status text not null,
  title text not null,
  title_after text not null,
  place_id integer,
  cause_id uuid,
  cause_rule uuid,
  confidence text not null,
  signs text[] not null,
  severity smallint not null,
  worst smallint not null,
  since timestamp with time zone not null,
  opened_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  cause_over_at timestamp with time zone,
  quiet_since timestamp with time zone,
  closed_at timestamp with time zone,
  end_reason text,
  merged_into uuid,
  owner text,
  acknowledged_by text,
  acknowledged_at timestamp with time zone,
  alert_count integer not null,
  object_count integer not null,
  PRIMARY KEY (id),
  UNIQUE (number),
  FOREIGN KEY (cause_id) REFERENCES alert(id) ON DELETE SET NULL,
  FOREIGN KEY (merged_into) REFERENCES incident(id) ON DELETE SET NULL,
  FOREIGN KEY (place_id) REFERENCES object(id) ON DELETE SET NULL,
  CHECK (((severity >= 1) AND (severity <= 4))),
  CHECK (((status = 'closed'::text) = (closed_at IS NOT NULL))),
  CHECK (((status = 'closed'::text) = (end_reason IS NOT NULL))),
  CHECK (((worst >= 1) AND (worst <= 4))),
  CHECK ((confidence = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text]))),
  CHECK ((end_reason = ANY (ARRAY['over'::text, 'left'::text, 'ended'::text, 'merged'::text]))),
  CHECK ((status = ANY (ARRAY['open'::text, 'closed'::text])))
);
create index incident_cause ON public.incident USING btree (cause_id);
create index incident_closed ON public.incident USING btree (closed_at) WHERE (closed_at IS NOT NULL);
create index incident_merged ON public.incident USING btree (merged_into) WHERE (merged_into IS NOT NULL);
create index incident_open ON public.incident USING btree (number) WHERE (status = 'open'::text);
create index incident_place ON public.incident USING btree (place_id);

create table public.incident_alert (
  incident_id uuid not null,
  alert_id uuid not null,
  joined_at timestamp with time zone not null,
  left_at timestamp with time zone,
  reason text,
  by_hand boolean default false not null,
  PRIMARY KEY (incident_id, alert_id),
  FOREIGN KEY (alert_id) REFERENCES alert(id) ON DELETE CASCADE,
  FOREIGN KEY (incident_id) REFERENCES incident(id) ON DELETE CASCADE,
  CHECK (((left_at IS NULL) = (reason IS NULL))),
  CHECK ((reason = ANY (ARRAY['closed'::text, 'left'::text, 'moved'::text, 'merged'::text, 'split'::text, 'ended'::text])))
);
create index incident_alert_of ON public.incident_alert USING btree (alert_id, joined_at);
create UNIQUE index incident_alert_one ON public.incident_alert USING btree (alert_id) WHERE (left_at IS NULL);

create table public.incident_event (
  id bigint generated always as identity not null,
  incident_id uuid not null,
  at timestamp with time zone not null,
  kind text not null,
  by text,
  text text not null,
  alerts uuid[] default '{}'::uuid[] not null,
  PRIMARY KEY (id),
  FOREIGN KEY (incident_id) REFERENCES incident(id) ON DELETE CASCADE,
  CHECK ((kind = ANY (ARRAY['opened'::text, 'joined'::text, 'left'::text, 'severity'::text, 'cause'::text, 'cause-over'::text, 'merged'::text, 'split'::text, 'owner'::text, 'acknowledged'::text, 'comment'::text, 'closed'::text])))
);
create index incident_event_of ON public.incident_event USING btree (incident_id, id);

create table public.ingest_node (
  node text not null,
  started_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  partitions jsonb not null,
  mappings jsonb not null,
  minute timestamp with time zone not null,
  new_objects integer not null,
  new_metrics integer not null,
  trouble text not null,
  new_sets integer default 0 not null,
  stored_until timestamp with time zone,
  PRIMARY KEY (node)
);

create table public.ingest_rate (
  "time" timestamp with time zone not null,
  node text not null,
  seconds double precision not null,
  points bigint not null,
  rows bigint not null,
  records bigint not null,
  bytes bigint not null,
  lag bigint not null,
  batch_records integer[] not null,
  batch_rows integer[] not null,
  batch_points integer[] not null,
  batch_millis real[] not null,
  PRIMARY KEY ("time", node)
);

-- Since when ingest has been reading without a pause.
create table public.ingest_reading (
  only_row boolean default true not null,
  since timestamp with time zone not null,
  until timestamp with time zone not null,
  PRIMARY KEY (only_row),
  CHECK (only_row)
);

create table public.ingest_rejected (
  minute timestamp with time zone not null,
  reason text not null,
  node text not null,
  count bigint not null,
  newest_at timestamp with time zone not null,
  input text default 'metrics'::text not null,
  PRIMARY KEY (minute, reason, node, input),
  CHECK ((input = ANY (ARRAY['metrics'::text, 'flows'::text, 'events'::text])))
);

-- Objects that changed lately. Whoever reads remembers the oldest transaction that was not over then, and asks for rows from it on.
create table public.inventory_change (
  xid xid8 default pg_current_xact_id() not null,
  object_id integer not null,
  noted_at timestamp with time zone default clock_timestamp() not null
);
create index inventory_change_noted_at ON public.inventory_change USING brin (noted_at) WITH (pages_per_range='8', autosummarize='on');
create index inventory_change_xid ON public.inventory_change USING btree (xid);

create table public.inventory_version (
  version bigint not null,
  sets_version bigint not null,
  removals bigint default 0 not null
);
create UNIQUE index inventory_version_one_row ON public.inventory_version USING btree ((true));

create table public.job (
  id uuid not null,
  kind text not null,
  title text not null,
  state text not null,
  done bigint default 0 not null,
  total bigint,
  unit text not null,
  node text,
  cancellable boolean not null,
  cancel_requested boolean default false not null,
  detail text,
  error text,
  started_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  PRIMARY KEY (id),
  CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);
create index job_finished ON public.job USING btree (finished_at) WHERE (finished_at IS NOT NULL);
create index job_unfinished ON public.job USING btree (updated_at) WHERE (finished_at IS NULL);

create table public.kafka_offset (
  topic text not null,
  partition integer not null,
  next_offset bigint not null,
  node text not null,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (topic, partition)
);

-- Learned bounds, an hour of a block in a row.
create table public.learned_band (
  block_id bigint not null,
  hour smallint not null,
  lower bytea not null,
  upper bytea not null,
  PRIMARY KEY (block_id, hour),
  FOREIGN KEY (block_id) REFERENCES learned_block(id) ON DELETE CASCADE,
  CHECK (((hour >= 0) AND (hour <= 23)))
);

-- What is usual for series on a day: state and spread; the bounds are in learned_band.
create table public.learned_block (
  id bigint generated always as identity not null,
  group_id integer not null,
  day timestamp with time zone not null,
  first_position integer not null,
  width integer not null,
  sets integer not null,
  set_ids integer[] not null,
  empty_ids integer[] not null,
  state bytea not null,
  days bytea not null,
  spread bytea not null,
  learning integer not null,
  learned integer not null,
  few_valued integer not null,
  constant integer not null,
  computed_at timestamp with time zone not null,
  since timestamp with time zone not null,
  PRIMARY KEY (id),
  FOREIGN KEY (group_id) REFERENCES metric_group(id) ON DELETE CASCADE
);
create index learned_block_day ON public.learned_block USING btree (day, group_id);

-- How far each part of a level is rolled up: the sets whose id modulo parts is part. No rows = levels are not split. level_state.rolled_until is what all parts have reached.
create table public.level_part (
  level text not null,
  part integer not null,
  parts integer not null,
  rolled_until timestamp with time zone,
  PRIMARY KEY (level, part),
  CHECK ((level = ANY (ARRAY['5m'::text, '1h'::text]))),
  CHECK ((part >= 0)),
  CHECK ((parts > part))
);

create table public.level_state (
  level text not null,
  rolled_until timestamp with time zone,
  kept_from timestamp with time zone default '-infinity'::timestamp with time zone not null,
  PRIMARY KEY (level),
  CHECK ((level = ANY (ARRAY['raw'::text, '5m'::text, '1h'::text])))
);

-- Load profiles that people asked for.
create table public.load_profile (
  id uuid not null,
  job_id uuid not null,
  request jsonb not null,
  state text not null,
  error text,
  machines integer default 0 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  result bytea,
  members bytea,
  PRIMARY KEY (id),
  CHECK ((state = ANY (ARRAY['computing'::text, 'done'::text, 'failed'::text])))
);
create index load_profile_created_at_id_idx ON public.load_profile USING btree (created_at DESC, id);

-- Randomness, working set and sizes that people added to load profiles.
create table public.load_profile_accesses (
  id uuid not null,
  profile_id uuid not null,
  kind text not null,
  group_name text,
  machine_id integer,
  run_id uuid,
  pattern jsonb not null,
  problems jsonb default '[]'::jsonb not null,
  added_at timestamp with time zone not null,
  added_by text not null,
  PRIMARY KEY (id),
  FOREIGN KEY (machine_id) REFERENCES object(id) ON DELETE CASCADE,
  FOREIGN KEY (profile_id) REFERENCES load_profile(id) ON DELETE CASCADE,
  CHECK ((kind = ANY (ARRAY['vscsi-stats'::text, 'run'::text])))
);
create UNIQUE index load_profile_accesses_profile_id_kind_coalesce_coalesce1_idx ON public.load_profile_accesses USING btree (profile_id, kind, COALESCE(group_name, ''::text), COALESCE(machine_id, 0));

-- Tables that notification templates look values up in.
create table public.lookup_table (
  id uuid not null,
  name text not null,
  definition jsonb not null,
  pack text,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  form smallint default 1 not null,
  PRIMARY KEY (id),
  UNIQUE (name)
);

create table public.lookup_table_history (
  lookup_table_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  definition jsonb not null,
  pack text,
  form smallint default 1 not null,
  PRIMARY KEY (lookup_table_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'restored'::text, 'deleted'::text])))
);

-- Times at which alerts of some objects are suppressed.
create table public.maintenance_window (
  id uuid not null,
  name text not null,
  definition jsonb not null,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  form smallint default 1 not null,
  pack text,
  PRIMARY KEY (id),
  UNIQUE (name)
);

-- Versions of maintenance windows, deleted ones too.
create table public.maintenance_window_history (
  maintenance_window_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  definition jsonb not null,
  form smallint default 1 not null,
  pack text,
  PRIMARY KEY (maintenance_window_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'restored'::text, 'deleted'::text])))
);

create table public.metric_group (
  id integer generated always as identity not null,
  adapter_kind text not null,
  object_kind text not null,
  name text not null,
  metrics text[] default '{}'::text[] not null,
  units text[] default '{}'::text[] not null,
  PRIMARY KEY (id),
  UNIQUE (adapter_kind, object_kind, name)
);

create table public.metric_set (
  id integer generated always as identity not null,
  object_id integer not null,
  group_id integer not null,
  instance text default ''::text not null,
  PRIMARY KEY (id),
  UNIQUE (object_id, group_id, instance),
  FOREIGN KEY (group_id) REFERENCES metric_group(id),
  FOREIGN KEY (object_id) REFERENCES object(id) ON DELETE CASCADE
);
create index metric_set_group_instanced ON public.metric_set USING btree (group_id, ((instance <> ''::text)), id);

create table public.metric_view (
  group_id integer not null,
  name text not null,
  metrics integer not null,
  PRIMARY KEY (group_id),
  UNIQUE (name),
  FOREIGN KEY (group_id) REFERENCES metric_group(id) ON DELETE CASCADE
);

create table public.notification_event (
  id bigint generated always as identity not null,
  source text not null,
  alert_id uuid not null,
  event text not null,
  change text not null,
  at timestamp with time zone not null,
  context jsonb not null,
  PRIMARY KEY (id),
  CHECK ((event = ANY (ARRAY['NEW'::text, 'UPDATE'::text, 'CANCEL'::text])))
);

create table public.notification_group (
  id uuid not null,
  target_id uuid not null,
  rule_id uuid not null,
  rule_name text not null,
  template text not null,
  vars jsonb not null,
  key text not null,
  opened_at timestamp with time zone not null,
  told boolean not null,
  due timestamp with time zone,
  last_told timestamp with time zone,
  changed boolean not null,
  resends integer not null,
  open integer not null,
  sequence integer not null,
  notified integer not null,
  criticality text,
  info text,
  kinds text[],
  PRIMARY KEY (id),
  UNIQUE (target_id, rule_id, key)
);
create index notification_group_due ON public.notification_group USING btree (due) WHERE (due IS NOT NULL);

-- Where other systems send their alerts, and how they prove who they are.
create table public.notification_relay (
  id uuid not null,
  name text not null,
  definition jsonb not null,
  pack text,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  form smallint default 1 not null,
  PRIMARY KEY (id),
  UNIQUE (name)
);

create table public.notification_relay_history (
  notification_relay_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  definition jsonb not null,
  pack text,
  form smallint default 1 not null,
  PRIMARY KEY (notification_relay_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'restored'::text, 'deleted'::text])))
);

-- Who gets which alerts, when, and in which form.
create table public.notification_rule (
  id uuid not null,
  name text not null,
  definition jsonb not null,
  pack text,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  form smallint default 1 not null,
  PRIMARY KEY (id),
  UNIQUE (name) DEFERRABLE INITIALLY DEFERRED
);

create table public.notification_rule_history (
  notification_rule_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  definition jsonb not null,
  pack text,
  form smallint default 1 not null,
  PRIMARY KEY (notification_rule_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'restored'::text, 'deleted'::text])))
);

create table public.notification_state (
  target_id uuid not null,
  alert_id uuid not null,
  rule_id uuid not null,
  rule_name text not null,
  template text not null,
  vars jsonb not null,
  phase text not null,
  due timestamp with time zone,
  last_told timestamp with time zone,
  resends integer not null,
  kept text,
  openings timestamp with time zone[] not null,
  group_id uuid,
  sequence integer not null,
  notified integer not null,
  criticality text,
  info text,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (target_id, alert_id),
  CHECK ((phase = ANY (ARRAY['none'::text, 'delayed'::text, 'held'::text, 'grouped'::text, 'told'::text, 'over'::text])))
);
create index notification_state_alert ON public.notification_state USING btree (alert_id);
create index notification_state_due ON public.notification_state USING btree (due) WHERE (due IS NOT NULL);
create index notification_state_group ON public.notification_state USING btree (group_id) WHERE (group_id IS NOT NULL);
create index notification_state_over ON public.notification_state USING btree (updated_at) WHERE (phase = ANY (ARRAY['none'::text, 'over'::text]));

-- How receivers of notifications are reached.
create table public.notification_target (
  id uuid not null,
  name text not null,
  definition jsonb not null,
  pack text,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  form smallint default 1 not null,
  PRIMARY KEY (id),
  UNIQUE (name) DEFERRABLE INITIALLY DEFERRED
);

create table public.notification_target_history (
  notification_target_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  definition jsonb not null,
  pack text,
  form smallint default 1 not null,
  PRIMARY KEY (notification_target_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'restored'::text, 'deleted'::text])))
);

-- What notifications look like; beside the built-in templates, or in their place.
create table public.notification_template (
  id uuid not null,
  name text not null,
  definition jsonb not null,
  pack text,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  form smallint default 1 not null,
  PRIMARY KEY (id),
  UNIQUE (name)
);

create table public.notification_template_history (
  notification_template_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  definition jsonb not null,
  pack text,
  form smallint default 1 not null,
  PRIMARY KEY (notification_template_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'restored'::text, 'deleted'::text])))
);

create table public.notification_trace (
  id bigint generated always as identity not null,
  at timestamp with time zone not null,
  alert_id uuid not null,
  event text not null,
  change text not null,
  rule_id uuid not null,
  rule_name text not null,
  matched boolean not null,
  words text not null,
  checks jsonb not null,
  targets jsonb not null,
  PRIMARY KEY (id)
);
create index notification_trace_alert ON public.notification_trace USING btree (alert_id, id);
create index notification_trace_at ON public.notification_trace USING brin (at) WITH (autosummarize='on');

create table public.notification_version (
  one boolean default true not null,
  version bigint not null,
  PRIMARY KEY (one),
  CHECK (one)
);

create table public.notified (
  target_id uuid not null,
  subject_id uuid not null,
  external_ids jsonb not null,
  delivered_at timestamp with time zone not null,
  PRIMARY KEY (target_id, subject_id)
);
create index notified_delivered ON public.notified USING btree (delivered_at);

-- Everything that is watched: VMs, hosts, clusters, datastores, agents.
create table public.object (
  id integer generated always as identity not null,
  uuid uuid not null,
  adapter_kind text not null,
  object_kind text not null,
  external_id text not null,
  name text not null,
  locator text,
  properties jsonb default '{}'::jsonb not null,
  tags jsonb default '{}'::jsonb not null,
  attributes_time timestamp with time zone,
  first_seen timestamp with time zone not null,
  search_text text generated always as object_search_text(name, external_id, properties, tags) stored,
  record_time timestamp with time zone,
  record_keys text[] default '{}'::text[] not null,
  removed_at timestamp with time zone,
  PRIMARY KEY (id),
  UNIQUE (adapter_kind, object_kind, external_id),
  UNIQUE (uuid)
);
create index object_kind_name ON public.object USING btree (adapter_kind, object_kind, name);
create index object_locator ON public.object USING btree (adapter_kind, object_kind, locator) WHERE (locator IS NOT NULL);
create index object_properties ON public.object USING gin (properties jsonb_path_ops);
create index object_removed ON public.object USING btree (id) WHERE (removed_at IS NOT NULL);
create index object_sort_first_seen ON public.object USING btree (first_seen, id);
create index object_sort_kind ON public.object USING btree (lower(object_kind) COLLATE "C", lower(name) COLLATE "C", id);
create index object_sort_name ON public.object USING btree (lower(name) COLLATE "C", id);
create index object_tags ON public.object USING gin (tags jsonb_path_ops);

create table public.object_change (
  id bigint generated always as identity not null,
  "time" timestamp with time zone not null,
  object_id integer not null,
  kind text not null,
  key text,
  old_value text,
  new_value text,
  PRIMARY KEY (id),
  FOREIGN KEY (object_id) REFERENCES object(id) ON DELETE CASCADE,
  CHECK ((kind = ANY (ARRAY['new'::text, 'name'::text, 'property'::text, 'tag'::text, 'placement'::text, 'recorded'::text, 'reporting'::text, 'removed'::text])))
);
create index object_change_arrival ON public.object_change USING btree (new_value, "time") WHERE (kind = 'placement'::text);
create index object_change_departure ON public.object_change USING btree (old_value, "time") WHERE (kind = 'placement'::text);
create index object_change_newest ON public.object_change USING btree ("time" DESC, id DESC);
create index object_change_object ON public.object_change USING btree (object_id, "time");

-- Scopes with a name, which rules may refer to.
create table public.object_group (
  id uuid not null,
  name text not null,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  definition jsonb not null,
  pack text,
  form smallint default 1 not null,
  PRIMARY KEY (id),
  UNIQUE (name) DEFERRABLE INITIALLY DEFERRED
);

create table public.object_group_history (
  object_group_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  definition jsonb not null,
  pack text,
  form smallint default 1 not null,
  PRIMARY KEY (object_group_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'restored'::text, 'deleted'::text])))
);
create index object_group_history_at ON public.object_group_history USING btree (at);

create table public.object_liveness (
  object_id integer not null,
  last_seen timestamp with time zone not null,
  gap_s integer,
  gap_before_s integer,
  delay_s integer,
  silent_since timestamp with time zone,
  returned_at timestamp with time zone,
  arrived_at timestamp with time zone,
  PRIMARY KEY (object_id),
  FOREIGN KEY (object_id) REFERENCES object(id) ON DELETE CASCADE
) with {fillfactor=50};
create index object_liveness_silent ON public.object_liveness USING btree (object_id) WHERE (silent_since IS NOT NULL);

create table public.object_reference (
  object_id integer not null,
  role text not null,
  adapter_kind text not null,
  object_kind text not null,
  locator text not null,
  last_seen timestamp with time zone not null,
  PRIMARY KEY (object_id, role, adapter_kind, object_kind, locator),
  FOREIGN KEY (object_id) REFERENCES object(id) ON DELETE CASCADE,
  CHECK ((role = ANY (ARRAY['parent'::text, 'child'::text])))
);
create index object_reference_target ON public.object_reference USING btree (adapter_kind, object_kind, locator);

-- What members of peer groups did bucket by bucket, and how it was judged.
create table public.outlier_bucket (
  group_id uuid not null,
  bucket timestamp with time zone not null,
  basis text not null,
  state text not null,
  judged integer not null,
  metrics text[] not null,
  members integer[] not null,
  centre double precision[] not null,
  lower double precision[] not null,
  upper double precision[] not null,
  "values" real[] not null,
  scores real[] not null,
  score real[] not null,
  usual_lower double precision[],
  usual_upper double precision[]
);
create index outlier_bucket_time ON public.outlier_bucket USING brin (bucket) WITH (pages_per_range='32', autosummarize='on');
create UNIQUE index outlier_bucket_group ON public.outlier_bucket USING btree (group_id, bucket);

-- Members of peer groups that differ from nearly all of their peers in a property.
create table public.outlier_difference (
  group_id uuid not null,
  object_id integer not null,
  key text not null,
  value text not null,
  common text not null,
  agree integer not null,
  judged integer not null,
  since timestamp with time zone not null,
  PRIMARY KEY (group_id, object_id, key),
  FOREIGN KEY (group_id) REFERENCES outlier_group(id) ON DELETE CASCADE,
  FOREIGN KEY (object_id) REFERENCES object(id) ON DELETE CASCADE
);
create index outlier_difference_object ON public.outlier_difference USING btree (object_id);

-- Members that are or were unlike their peers.
create table public.outlier_event (
  id uuid not null,
  number bigint generated always as identity not null,
  group_id uuid not null,
  group_name text not null,
  object_id integer,
  status text not null,
  close_reason text,
  opened_at timestamp with time zone not null,
  since timestamp with time zone not null,
  last_bucket timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  side text,
  severity smallint not null,
  evidence text not null,
  score double precision,
  peak_score double precision,
  peak_at timestamp with time zone not null,
  violations integer not null,
  of integer not null,
  judged integer not null,
  members integer not null,
  flaps integer default 0 not null,
  metrics jsonb not null,
  explanation jsonb not null,
  apart jsonb,
  apart_at timestamp with time zone,
  archived_at timestamp with time zone,
  archived_by text,
  note_count integer default 0 not null,
  properties jsonb default '[]'::jsonb not null,
  PRIMARY KEY (id),
  UNIQUE (number),
  FOREIGN KEY (object_id) REFERENCES object(id) ON DELETE CASCADE,
  CHECK (((severity >= 1) AND (severity <= 4))),
  CHECK ((side = ANY (ARRAY['high'::text, 'low'::text]))),
  CHECK ((status = ANY (ARRAY['open'::text, 'unknown'::text, 'closed'::text])))
);
create index outlier_event_closed ON public.outlier_event USING btree (group_id, closed_at);
create index outlier_event_group ON public.outlier_event USING btree (group_id, opened_at);
create index outlier_event_object ON public.outlier_event USING btree (object_id, opened_at);
create index outlier_event_open ON public.outlier_event USING btree (group_id) WHERE (status <> 'closed'::text);
create index outlier_event_opened ON public.outlier_event USING btree (opened_at);

create table public.outlier_event_history (
  id bigint default nextval((pg_get_serial_sequence('alert_history'::text, 'id'::text))::regclass) not null,
  xid xid8 default pg_current_xact_id() not null,
  event_id uuid not null,
  at timestamp with time zone not null,
  event text not null,
  by text,
  score double precision,
  value double precision,
  note text,
  explanation text,
  metric text,
  unit text,
  PRIMARY KEY (id),
  FOREIGN KEY (event_id) REFERENCES outlier_event(id) ON DELETE CASCADE
);
create index outlier_event_history_event ON public.outlier_event_history USING btree (event_id, id);
create index outlier_event_history_xid ON public.outlier_event_history USING btree (xid, id);

create table public.outlier_exception (
  group_id uuid not null,
  object_id integer not null,
  until timestamp with time zone,
  reason text,
  by text not null,
  at timestamp with time zone not null,
  PRIMARY KEY (group_id, object_id),
  FOREIGN KEY (group_id) REFERENCES outlier_group(id) ON DELETE CASCADE,
  FOREIGN KEY (object_id) REFERENCES object(id) ON DELETE CASCADE
);

-- Groups of peers, in which the one that differs is looked for.
create table public.outlier_group (
  id uuid not null,
  name text not null,
  definition jsonb not null,
  pack text,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  form smallint default 1 not null,
  PRIMARY KEY (id),
  UNIQUE (name) DEFERRABLE INITIALLY DEFERRED
);

create table public.outlier_group_history (
  outlier_group_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  definition jsonb not null,
  pack text,
  form smallint default 1 not null,
  PRIMARY KEY (outlier_group_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'restored'::text, 'deleted'::text])))
);
create index outlier_group_history_at ON public.outlier_group_history USING btree (at);

-- Medians of peer groups hour by hour, from which is learned what is usual for the group as a whole.
create table public.outlier_hour (
  group_id uuid not null,
  hour timestamp with time zone not null,
  basis text not null,
  low real[] not null,
  mean real[] not null,
  high real[] not null,
  PRIMARY KEY (group_id, hour)
);

create table public.outlier_learned (
  group_id uuid not null,
  basis text not null,
  bucket timestamp with time zone not null,
  state bytea not null,
  shift bytea,
  PRIMARY KEY (group_id)
);

create table public.outlier_membership (
  id bigint generated always as identity not null,
  group_id uuid not null,
  at timestamp with time zone not null,
  kind text not null,
  object_id integer not null,
  members integer,
  by text,
  PRIMARY KEY (id),
  FOREIGN KEY (object_id) REFERENCES object(id) ON DELETE CASCADE,
  CHECK ((kind = ANY (ARRAY['joined'::text, 'left'::text, 'marked'::text, 'unmarked'::text])))
);
create index outlier_membership_group ON public.outlier_membership USING btree (group_id, at);
create index outlier_membership_object ON public.outlier_membership USING btree (object_id, at);

create table public.outlier_state (
  group_id uuid not null,
  basis text not null,
  bucket timestamp with time zone not null,
  width interval not null,
  state text not null,
  metrics text[] not null,
  states text[] not null,
  members integer[] not null,
  judged integer not null,
  judged_of integer[] not null,
  centre double precision[] not null,
  lower double precision[] not null,
  upper double precision[] not null,
  bands integer[] not null,
  "values" real[] not null,
  expected real[] not null,
  low real[] not null,
  high real[] not null,
  scores real[] not null,
  score real[] not null,
  nanos bigint not null,
  error text,
  usual jsonb,
  PRIMARY KEY (group_id)
);

-- Groups of peers that the data suggest; nothing is applied by itself.
create table public.outlier_suggestion (
  id uuid not null,
  kind text not null,
  place integer not null,
  reason text not null,
  correlation double precision,
  members integer[] not null,
  definition jsonb not null,
  PRIMARY KEY (id),
  CHECK ((kind = ANY (ARRAY['starter'::text, 'correlated'::text])))
);

create table public.outlier_suggestion_dismissed (
  id uuid not null,
  members integer[] not null,
  by text not null,
  at timestamp with time zone not null,
  PRIMARY KEY (id)
);

create table public.outlier_suggestion_run (
  single boolean default true not null,
  computed_at timestamp with time zone,
  objects bigint default 0 not null,
  PRIMARY KEY (single),
  CHECK (single)
);

-- Screens that wait for somebody to approve their code; the session is opened with the token that the approval makes.
create table public.pairing (
  id uuid not null,
  secret_hash bytea not null,
  code text not null,
  network text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  token_id uuid,
  PRIMARY KEY (id),
  UNIQUE (secret_hash),
  FOREIGN KEY (token_id) REFERENCES api_token(id) ON DELETE CASCADE
);
create index pairing_code ON public.pairing USING btree (code);

-- Playlists: dashboards that walls show in turn.
create table public.playlist (
  id uuid not null,
  name text not null,
  definition json not null,
  form smallint default 1 not null,
  pack text,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  PRIMARY KEY (id)
);

create table public.playlist_history (
  playlist_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  definition json not null,
  form smallint default 1 not null,
  pack text,
  PRIMARY KEY (playlist_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'restored'::text, 'deleted'::text])))
);

create table public.recorded_change (
  change_id bigint not null,
  until timestamp with time zone,
  author text not null,
  note text,
  goal text,
  metrics text[] default '{}'::text[] not null,
  tells text[] default '{}'::text[] not null,
  PRIMARY KEY (change_id),
  FOREIGN KEY (change_id) REFERENCES object_change(id) ON DELETE CASCADE
);

create table public.relation (
  parent_id integer not null,
  child_id integer not null,
  PRIMARY KEY (parent_id, child_id),
  FOREIGN KEY (child_id) REFERENCES object(id) ON DELETE CASCADE,
  FOREIGN KEY (parent_id) REFERENCES object(id) ON DELETE CASCADE
);
create index relation_child ON public.relation USING btree (child_id);

create table public.relay_line (
  relay_id uuid not null,
  received_at timestamp with time zone,
  received bigint default 0 not null,
  events bigint default 0 not null,
  refused bigint default 0 not null,
  tested_at timestamp with time zone,
  error text,
  error_at timestamp with time zone,
  PRIMARY KEY (relay_id)
);

-- Reports: dashboards and views that are kept and sent on schedule.
create table public.report (
  id uuid not null,
  name text not null,
  definition jsonb not null,
  form smallint default 1 not null,
  pack text,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  PRIMARY KEY (id),
  UNIQUE (name) DEFERRABLE INITIALLY DEFERRED
);

create table public.report_history (
  report_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  definition jsonb not null,
  form smallint default 1 not null,
  pack text,
  PRIMARY KEY (report_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'restored'::text, 'deleted'::text])))
);

-- Runs of reports, with the answers that they showed.
create table public.report_run (
  id uuid not null,
  report_id uuid not null,
  due_at timestamp with time zone not null,
  ran_at timestamp with time zone not null,
  asked_by text,
  state text not null,
  reason text,
  parts integer default 0 not null,
  panels integer default 0 not null,
  failed integer default 0 not null,
  data bytea,
  size bigint default 0 not null,
  deliveries jsonb default '[]'::jsonb not null,
  PRIMARY KEY (id),
  FOREIGN KEY (report_id) REFERENCES report(id) ON DELETE CASCADE,
  CHECK ((state = ANY (ARRAY['done'::text, 'missed'::text, 'failed'::text])))
);
create index report_run_report_id_due_at_id_idx ON public.report_run USING btree (report_id, due_at DESC, id);
create UNIQUE index report_run_once ON public.report_run USING btree (report_id, due_at) WHERE (asked_by IS NULL);

create table public.report_state (
  report_id uuid not null,
  scheduled_since timestamp with time zone not null,
  PRIMARY KEY (report_id),
  FOREIGN KEY (report_id) REFERENCES report(id) ON DELETE CASCADE
);

create table public.rollup_dirty (
  bucket timestamp with time zone not null,
  level text default '5m'::text not null,
  noted_at timestamp with time zone default now() not null,
  part integer,
  CHECK ((level = ANY (ARRAY['5m'::text, '1h'::text])))
);

create table public.rule_version (
  one boolean default true not null,
  version bigint not null,
  PRIMARY KEY (one),
  CHECK (one)
);

create table public.sample (
  "time" timestamp with time zone not null,
  set_id integer not null,
  "values" double precision[] not null
);
create index sample_time ON public.sample USING brin ("time") WITH (pages_per_range='32', autosummarize='on');
create UNIQUE index sample_set_time ON public.sample USING btree (set_id, "time");

create table public.sample_1h (
  "time" timestamp with time zone not null,
  set_id integer not null,
  samples integer not null,
  counts integer[],
  avg double precision[] not null,
  min double precision[],
  max double precision[],
  last double precision[],
  sketches bytea[]
);
create index sample_1h_time ON public.sample_1h USING brin ("time") WITH (pages_per_range='32', autosummarize='on');
create UNIQUE index sample_1h_set_time ON public.sample_1h USING btree (set_id, "time");

create table public.sample_5m (
  "time" timestamp with time zone not null,
  set_id integer not null,
  samples integer not null,
  counts integer[],
  avg double precision[] not null,
  min double precision[],
  max double precision[],
  last double precision[]
);
create index sample_5m_time ON public.sample_5m USING brin ("time") WITH (pages_per_range='32', autosummarize='on');
create UNIQUE index sample_5m_set_time ON public.sample_5m USING btree (set_id, "time");

create table public.scheduled_tasks (
  task_name text not null,
  task_instance text not null,
  task_data bytea,
  execution_time timestamp with time zone not null,
  picked boolean not null,
  picked_by text,
  last_success timestamp with time zone,
  last_failure timestamp with time zone,
  consecutive_failures integer,
  last_heartbeat timestamp with time zone,
  version bigint not null,
  priority smallint,
  PRIMARY KEY (task_name, task_instance)
);
create index scheduled_tasks_execution ON public.scheduled_tasks USING btree (execution_time);
create index scheduled_tasks_heartbeat ON public.scheduled_tasks USING btree (last_heartbeat);
create index scheduled_tasks_priority ON public.scheduled_tasks USING btree (priority DESC, execution_time);

create table public.secret (
  name text not null,
  key_id text not null,
  nonce bytea not null,
  sealed bytea not null,
  version bigint not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  PRIMARY KEY (name)
);

-- Who sends data to Peerlens, by the ingest node that takes them in.
create table public.sender (
  kind text not null,
  name text not null,
  node text not null,
  plugins text[] not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  newest_at timestamp with time zone not null,
  offset_ms bigint,
  gaps bigint[] not null,
  objects bigint not null,
  PRIMARY KEY (kind, name, node),
  CHECK ((kind = ANY (ARRAY['lines'::text, 'otlp'::text, 'json'::text, 'source'::text, 'flows'::text])))
);

create table public.sender_rate (
  kind text not null,
  name text not null,
  node text not null,
  bucket timestamp with time zone not null,
  lines bigint not null,
  PRIMARY KEY (kind, name, node, bucket)
);

create table public.setting (
  name text not null,
  value jsonb not null,
  version bigint default 1 not null,
  updated_at timestamp with time zone default now() not null,
  updated_by text not null,
  PRIMARY KEY (name)
);

-- Times at which some alerts are not notified.
create table public.silence (
  id uuid not null,
  name text not null,
  definition jsonb not null,
  pack text,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  form smallint default 1 not null,
  PRIMARY KEY (id),
  UNIQUE (name)
);

create table public.silence_history (
  silence_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  definition jsonb not null,
  pack text,
  form smallint default 1 not null,
  PRIMARY KEY (silence_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'restored'::text, 'deleted'::text])))
);

-- Recommendations that were carried out, and whether they were right.
create table public.sizing_outcome (
  noticed_change_id bigint not null,
  recommendation_id uuid not null,
  object_id integer not null,
  resource text not null,
  kind text not null,
  size_before double precision not null,
  size_after double precision not null,
  recommended double precision not null,
  approved boolean not null,
  series_key text,
  series_factor double precision not null,
  changed_at timestamp with time zone not null,
  change_id bigint,
  put_back_at timestamp with time zone,
  judged_at timestamp with time zone,
  verdict text,
  sentence text,
  PRIMARY KEY (noticed_change_id),
  FOREIGN KEY (object_id) REFERENCES object(id) ON DELETE CASCADE,
  CHECK ((kind = ANY (ARRAY['too-small'::text, 'too-large'::text]))),
  CHECK ((resource = ANY (ARRAY['cpu'::text, 'memory'::text])))
);
create index sizing_outcome_changed_at_idx ON public.sizing_outcome USING btree (changed_at);

-- Recommendations of the last evaluation, with decisions of people.
create table public.sizing_recommendation (
  id uuid not null,
  number bigint generated always as identity not null,
  object_id integer not null,
  subject text not null,
  instance text default ''::text not null,
  kind text not null,
  label text,
  size_now double precision,
  size double precision,
  regret double precision,
  vcpus double precision,
  memory_gb double precision,
  disk_gb double precision,
  place double precision not null,
  owner text,
  evidence jsonb not null,
  first_seen_at timestamp with time zone not null,
  evaluated_at timestamp with time zone not null,
  decision text default 'open'::text not null,
  decided_by text,
  decided_at timestamp with time zone,
  ignored_until timestamp with time zone,
  note text,
  PRIMARY KEY (id),
  UNIQUE (object_id, subject, instance),
  FOREIGN KEY (object_id) REFERENCES object(id) ON DELETE CASCADE,
  CHECK ((decision = ANY (ARRAY['open'::text, 'approved'::text, 'ignored'::text, 'done'::text]))),
  CHECK ((kind = ANY (ARRAY['too-small'::text, 'too-large'::text, 'not-known'::text, 'idle'::text, 'powered-off'::text, 'snapshot'::text, 'orphaned-disk'::text]))),
  CHECK ((subject = ANY (ARRAY['cpu'::text, 'memory'::text, 'machine'::text, 'snapshot'::text, 'disk'::text])))
);
create index sizing_recommendation_kind_place_idx ON public.sizing_recommendation USING btree (kind, place);

-- Results of the last evaluation of right-sizing by object.
create table public.sizing_result (
  object_id integer not null,
  vcpus double precision,
  memory_gb double precision,
  owner text,
  metrics jsonb not null,
  cluster jsonb,
  evaluated_at timestamp with time zone not null,
  PRIMARY KEY (object_id),
  FOREIGN KEY (object_id) REFERENCES object(id) ON DELETE CASCADE
);

-- The last evaluation of right-sizing.
create table public.sizing_run (
  only_one boolean default true not null,
  evaluated_at timestamp with time zone not null,
  history_from timestamp with time zone not null,
  history_to timestamp with time zone not null,
  took_millis bigint not null,
  PRIMARY KEY (only_one),
  CHECK (only_one)
);

-- Tickets that were made of recommendations.
create table public.sizing_ticket (
  recommendation_id uuid not null,
  sent_at timestamp with time zone not null,
  sent_by text not null,
  target uuid not null,
  target_name text not null,
  delivered boolean not null,
  http_status integer,
  reason text,
  FOREIGN KEY (recommendation_id) REFERENCES sizing_recommendation(id) ON DELETE CASCADE
);
create index sizing_ticket_recommendation_id_sent_at_idx ON public.sizing_ticket USING btree (recommendation_id, sent_at);

create table public.snmp_engine (
  one boolean default true not null,
  engine_id bytea not null,
  boots integer not null,
  started_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  PRIMARY KEY (one),
  CHECK (((boots >= 1) AND (boots <= 2147483646))),
  CHECK (one)
);

-- Sources that Peerlens reads itself.
create table public.source (
  id uuid not null,
  name text not null,
  kind text generated always as (definition ->> 'kind'::text) stored,
  definition jsonb not null,
  form smallint default 1 not null,
  pack text,
  version bigint default 1 not null,
  paused_at timestamp with time zone,
  paused_by text,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  PRIMARY KEY (id)
);
create UNIQUE index source_name ON public.source USING btree (lower(name));

create table public.source_about (
  source_id uuid not null,
  about text not null,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (source_id),
  FOREIGN KEY (source_id) REFERENCES source(id) ON DELETE CASCADE
);

create table public.source_error (
  id bigint generated always as identity not null,
  source_id uuid not null,
  part text not null,
  error jsonb not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  count bigint not null,
  PRIMARY KEY (id),
  FOREIGN KEY (source_id) REFERENCES source(id) ON DELETE CASCADE
);
create index source_error_last ON public.source_error USING btree (last_at DESC, id DESC);
create index source_error_source ON public.source_error USING btree (source_id, part, id DESC);

create table public.source_history (
  source_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  definition jsonb not null,
  form smallint default 1 not null,
  pack text,
  PRIMARY KEY (source_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'restored'::text, 'deleted'::text])))
);

create table public.source_lease (
  source_id uuid not null,
  holder uuid not null,
  node text not null,
  taken_at timestamp with time zone not null,
  lease_until timestamp with time zone not null,
  PRIMARY KEY (source_id),
  FOREIGN KEY (source_id) REFERENCES source(id) ON DELETE CASCADE
);
create index source_lease_holder ON public.source_lease USING btree (holder);

create table public.source_position (
  source_id uuid not null,
  part text not null,
  value text not null,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (source_id, part),
  FOREIGN KEY (source_id) REFERENCES source(id) ON DELETE CASCADE
);

-- How much came of sources that Peerlens reads itself.
create table public.source_rate (
  source_id uuid not null,
  bucket timestamp with time zone not null,
  samples bigint not null,
  PRIMARY KEY (source_id, bucket),
  FOREIGN KEY (source_id) REFERENCES source(id) ON DELETE CASCADE
);

create table public.source_state (
  source_id uuid not null,
  part text not null,
  last_at timestamp with time zone not null,
  good_at timestamp with time zone,
  took_ms bigint not null,
  intervals bigint[] not null,
  objects bigint not null,
  samples bigint not null,
  failures bigint not null,
  error jsonb,
  failing_since timestamp with time zone,
  PRIMARY KEY (source_id, part),
  FOREIGN KEY (source_id) REFERENCES source(id) ON DELETE CASCADE
);

create table public.source_version (
  one boolean default true not null,
  version bigint not null,
  PRIMARY KEY (one),
  CHECK (one)
);

-- Formulas that are computed for every object of a kind.
create table public.super_metric (
  id uuid not null,
  name text not null,
  formula text not null,
  description text,
  unit_id text,
  modified_by text,
  modification_time bigint,
  kinds json,
  other json default '{}'::json not null,
  tags text[] default '{}'::text[] not null,
  owner text,
  pack text,
  enabled boolean default true not null,
  policy jsonb default '[]'::jsonb not null,
  interval_s integer default 60 not null,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  PRIMARY KEY (id),
  UNIQUE (name) DEFERRABLE INITIALLY DEFERRED,
  CHECK (((interval_s >= 5) AND ((interval_s % 5) = 0)))
);

create table public.super_metric_history (
  super_metric_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  formula text not null,
  description text,
  unit_id text,
  modified_by text,
  modification_time bigint,
  kinds json,
  other json not null,
  tags text[] not null,
  owner text,
  pack text,
  enabled boolean not null,
  policy jsonb not null,
  interval_s integer not null,
  PRIMARY KEY (super_metric_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'policy'::text, 'restored'::text, 'deleted'::text])))
);
create index super_metric_history_at ON public.super_metric_history USING btree (at);

create table public.super_metric_state (
  super_metric_id uuid not null,
  adapter_kind text not null,
  object_kind text not null,
  tick timestamp with time zone not null,
  computed integer not null,
  no_data jsonb default '{}'::jsonb not null,
  nanos bigint not null,
  error text,
  PRIMARY KEY (super_metric_id, adapter_kind, object_kind)
);

create table public.super_metric_version (
  one boolean default true not null,
  version bigint not null,
  PRIMARY KEY (one),
  CHECK (one)
);

create table public.symptom (
  threshold_id uuid not null,
  object_id integer not null,
  instance text default ''::text not null,
  severity smallint not null,
  history text not null,
  runs timestamp with time zone[] not null,
  good integer not null,
  good_held smallint not null,
  since timestamp with time zone,
  last_sample timestamp with time zone,
  value double precision,
  text text,
  bound double precision,
  upper double precision,
  updated_at timestamp with time zone not null,
  unknown boolean default false not null,
  PRIMARY KEY (threshold_id, object_id, instance)
);
create index symptom_object ON public.symptom USING btree (object_id);

create table public.talker_1d (
  "time" timestamp with time zone not null,
  dimension smallint not null,
  direction smallint not null,
  traffic smallint not null,
  talkers integer not null,
  bound bigint[] not null,
  total bigint[] not null,
  unassigned bigint[] not null,
  keys bigint[] not null,
  bytes bigint[] not null,
  packets bigint[] not null,
  flows bigint[] not null,
  sessions bigint[] not null,
  resets bigint[] not null,
  drops bigint[] not null,
  peak bigint[] not null,
  missed bigint[],
  PRIMARY KEY (dimension, direction, traffic, "time"),
  CHECK (((dimension >= 0) AND (dimension <= 7))),
  CHECK (((direction >= 0) AND (direction <= 2))),
  CHECK (((traffic >= 0) AND (traffic <= 3)))
);

create table public.talker_1h (
  "time" timestamp with time zone not null,
  dimension smallint not null,
  direction smallint not null,
  traffic smallint not null,
  talkers integer not null,
  bound bigint[] not null,
  total bigint[] not null,
  unassigned bigint[] not null,
  keys bigint[] not null,
  bytes bigint[] not null,
  packets bigint[] not null,
  flows bigint[] not null,
  sessions bigint[] not null,
  resets bigint[] not null,
  drops bigint[] not null,
  peak bigint[] not null,
  missed bigint[],
  PRIMARY KEY (dimension, direction, traffic, "time"),
  CHECK (((dimension >= 0) AND (dimension <= 7))),
  CHECK (((direction >= 0) AND (direction <= 2))),
  CHECK (((traffic >= 0) AND (traffic <= 3)))
);

create table public.talker_5m (
  "time" timestamp with time zone not null,
  dimension smallint not null,
  direction smallint not null,
  traffic smallint not null,
  talkers integer not null,
  bound bigint[] not null,
  total bigint[] not null,
  unassigned bigint[] not null,
  keys bigint[] not null,
  bytes bigint[] not null,
  packets bigint[] not null,
  flows bigint[] not null,
  sessions bigint[] not null,
  resets bigint[] not null,
  drops bigint[] not null,
  peak bigint[] not null,
  missed bigint[],
  PRIMARY KEY (dimension, direction, traffic, "time"),
  CHECK (((dimension >= 0) AND (dimension <= 7))),
  CHECK (((direction >= 0) AND (direction <= 2))),
  CHECK (((traffic >= 0) AND (traffic <= 3)))
);

-- Rankings of who uses the network that people keep.
create table public.talker_report (
  id uuid not null,
  name text not null,
  definition jsonb not null,
  pack text,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  form smallint default 1 not null,
  PRIMARY KEY (id),
  UNIQUE (name) DEFERRABLE INITIALLY DEFERRED
);

create table public.talker_report_history (
  talker_report_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  definition jsonb not null,
  pack text,
  form smallint default 1 not null,
  PRIMARY KEY (talker_report_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'restored'::text, 'deleted'::text])))
);

create table public.talker_report_run (
  report_id uuid not null,
  due_at timestamp with time zone not null,
  ran_at timestamp with time zone not null,
  answer jsonb,
  over_share boolean not null,
  state text not null,
  reason text,
  deliveries jsonb default '[]'::jsonb not null,
  PRIMARY KEY (report_id, due_at),
  FOREIGN KEY (report_id) REFERENCES talker_report(id) ON DELETE CASCADE,
  CHECK ((state = ANY (ARRAY['done'::text, 'missed'::text, 'failed'::text])))
);

create table public.talker_report_state (
  report_id uuid not null,
  scheduled_since timestamp with time zone not null,
  judged_version bigint,
  judged_from timestamp with time zone,
  judged_until timestamp with time zone,
  over jsonb default '[]'::jsonb not null,
  PRIMARY KEY (report_id),
  FOREIGN KEY (report_id) REFERENCES talker_report(id) ON DELETE CASCADE
);

create table public.talker_tier (
  id integer generated always as identity not null,
  name text not null,
  PRIMARY KEY (id),
  UNIQUE (name)
);

create table public.target_line (
  target_id uuid not null,
  breaker text default 'closed'::text not null,
  breaker_node text,
  last_success timestamp with time zone,
  last_failure timestamp with time zone,
  failure text,
  failing_since timestamp with time zone,
  failures bigint default 0 not null,
  paused_until timestamp with time zone,
  stopped_at timestamp with time zone,
  stopped_reason text,
  definition text,
  PRIMARY KEY (target_id)
);

-- Conditions on a metric or property of every object of a kind; each object that meets one has a symptom.
create table public.threshold (
  id uuid not null,
  name text not null,
  definition jsonb not null,
  pack text,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  form smallint default 1 not null,
  PRIMARY KEY (id),
  UNIQUE (name) DEFERRABLE INITIALLY DEFERRED
);

create table public.threshold_history (
  threshold_id uuid not null,
  version bigint not null,
  action text not null,
  at timestamp with time zone not null,
  by text not null,
  name text not null,
  definition jsonb not null,
  pack text,
  form smallint default 1 not null,
  PRIMARY KEY (threshold_id, version),
  CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'imported'::text, 'restored'::text, 'deleted'::text])))
);
create index threshold_history_at ON public.threshold_history USING btree (at);

create table public.threshold_state (
  threshold_id uuid not null,
  tick timestamp with time zone not null,
  objects integer not null,
  instances integer not null,
  unknown integer not null,
  information integer not null,
  warning integer not null,
  immediate integer not null,
  critical integer not null,
  nanos bigint not null,
  error text,
  PRIMARY KEY (threshold_id)
);

-- When objects were unusual as a whole, and by which metrics.
create table public.unusual_period (
  object_id integer not null,
  since timestamp with time zone not null,
  until timestamp with time zone not null,
  score double precision not null,
  keys text[] not null,
  began timestamp with time zone[] not null,
  PRIMARY KEY (object_id, since),
  FOREIGN KEY (object_id) REFERENCES object(id) ON DELETE CASCADE
);
create index unusual_period_until_idx ON public.unusual_period USING btree (until);

CREATE OR REPLACE FUNCTION public.audit_append()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock_shared(5737462001);
  new.id := nextval('audit_entry_id');
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_forget(before timestamp with time zone, most integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  gone integer;
begin
  perform set_config('peerlens.audit_forget', 'on', true); -- a clause of the function would need a superuser
  delete from audit_entry where id in (select id from audit_entry where at < before order by at limit most);
  get diagnostics gone = row_count;
  perform set_config('peerlens.audit_forget', 'off', true);
  return gone;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_refuse()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    if current_setting('peerlens.audit_forget', true) = 'on' and old.at < now() - interval '1 day' then
      return old;
    end if;
  end if;
  raise exception 'The audit log only grows: % is refused', lower(tg_op) using errcode = 'insufficient_privilege';
end
$function$;

CREATE OR REPLACE FUNCTION public.dashboard_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('peerlens.late_dashboard_version', true) = 'moves' then
    perform set_config('peerlens.late_dashboard_version', 'moved', true);
  elsif current_setting('peerlens.late_dashboard_version', true) is distinct from 'moved' then
    update dashboard_version set version = version + 1;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.float4_at(bytes bytea, at integer)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT CASE WHEN (f.exponent = 255) THEN NULL::double precision WHEN (f.exponent = 0) THEN (((f.sign)::double precision * f.mantissa) * ((2)::double precision ^ ('-149'::integer)::double precision)) ELSE (((f.sign)::double precision * (f.mantissa + (8388608)::double precision)) * ((2)::double precision ^ ((f.exponent - 150))::double precision)) END AS "case" FROM (SELECT CASE WHEN ((b.bits >> 31) = 1) THEN '-1'::integer ELSE 1 END AS sign, ((b.bits >> 23) & (255)::bigint) AS exponent, ((b.bits & (8388607)::bigint))::double precision AS mantissa FROM (SELECT (((((get_byte(float4_at.bytes, float4_at.at))::bigint << 24) + (get_byte(float4_at.bytes, (float4_at.at + 1)) << 16)) + (get_byte(float4_at.bytes, (float4_at.at + 2)) << 8)) + get_byte(float4_at.bytes, (float4_at.at + 3))) AS bits) b) f);

CREATE OR REPLACE FUNCTION public.flow_protocol(number integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE number WHEN 1 THEN 'icmp'::text WHEN 6 THEN 'tcp'::text WHEN 17 THEN 'udp'::text WHEN 47 THEN 'gre'::text WHEN 50 THEN 'esp'::text WHEN 58 THEN 'icmp6'::text WHEN 132 THEN 'sctp'::text ELSE (number)::text END;

CREATE OR REPLACE FUNCTION public.merge_values(old double precision[], new double precision[])
 RETURNS double precision[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array_agg(coalesce(n, o) order by i) from unnest(old, new) with ordinality as t(o, n, i)
$function$;

CREATE OR REPLACE FUNCTION public.note_new_objects()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into inventory_change (object_id) select id from changed;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_other_object()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into inventory_change (object_id) values (new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_other_relations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into inventory_change (object_id)
  select parent_id from before union select child_id from before union select parent_id from after union select child_id from after;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_relations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into inventory_change (object_id)
  select parent_id from changed union select child_id from changed;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_removals()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update inventory_version set removals = removals + 1;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notification_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('peerlens.late_notification_version', true) = 'moves' then
    perform set_config('peerlens.late_notification_version', 'moved', true);
  elsif current_setting('peerlens.late_notification_version', true) is distinct from 'moved' then
    update notification_version set version = version + 1;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.object_search_text(name text, external_id text, properties jsonb, tags jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select lower(concat_ws(E'\n', name, external_id, (
    select string_agg(key || E'\n' || value, E'\n')
    from (select * from jsonb_each_text(properties) union all select * from jsonb_each_text(tags)) t)))
$function$;

CREATE OR REPLACE FUNCTION public.resolved_references(ids integer[])
 RETURNS TABLE(parent_id integer, child_id integer)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  with met as (
    select r.object_id as from_id, r.role, t.id as to_id
    from object_reference r
    join object t on (t.adapter_kind, t.object_kind, t.locator) = (r.adapter_kind, r.object_kind, r.locator)
    where r.object_id = any (ids)
    union
    select r.object_id, r.role, t.id
    from object_reference r
    join object t on (t.adapter_kind, t.object_kind, t.external_id) = (r.adapter_kind, r.object_kind, r.locator)
    where r.object_id = any (ids)
    union
    select r.object_id, r.role, t.id
    from object t
    join object_reference r on (r.adapter_kind, r.object_kind, r.locator) = (t.adapter_kind, t.object_kind, t.locator)
    where t.id = any (ids)
    union
    select r.object_id, r.role, t.id
    from object t
    join object_reference r on (r.adapter_kind, r.object_kind, r.locator) = (t.adapter_kind, t.object_kind, t.external_id)
    where t.id = any (ids)
  )
  select case role when 'parent' then to_id else from_id end, case role when 'parent' then from_id else to_id end
  from met
  where from_id <> to_id
    and not exists (select from object o where o.id in (from_id, to_id) and o.removed_at is not null)
$function$;

CREATE OR REPLACE FUNCTION public.rule_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('peerlens.late_rule_version', true) = 'moves' then
    perform set_config('peerlens.late_rule_version', 'moved', true);
  elsif current_setting('peerlens.late_rule_version', true) is distinct from 'moved' then
    update rule_version set version = version + 1;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.source_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('peerlens.late_source_version', true) = 'moves' then
    perform set_config('peerlens.late_source_version', 'moved', true);
  elsif current_setting('peerlens.late_source_version', true) is distinct from 'moved' then
    update source_version set version = version + 1;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.super_metric_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('peerlens.late_super_metric_version', true) = 'moves' then
    perform set_config('peerlens.late_super_metric_version', 'moved', true);
  elsif current_setting('peerlens.late_super_metric_version', true) is distinct from 'moved' then
    update super_metric_version set version = version + 1;
  end if;
  return null;
end $function$;

-- Alerts, open and closed.
create view public.alerts as
 SELECT a.number,
    a.definition_name AS name,
    o.name AS object,
    o.adapter_kind,
    o.object_kind,
    (ARRAY['information'::text, 'warning'::text, 'immediate'::text, 'critical'::text])[a.severity] AS severity,
        CASE
            WHEN a.canceled_at IS NULL THEN 'open'::text
            ELSE 'closed'::text
        END AS status,
    a.control_state,
    a.unknown,
    a.since,
    a.opened_at,
    a.updated_at,
    a.canceled_at AS closed_at,
    a.cancel_reason AS close_reason,
    COALESCE(a.canceled_at, now()) - a.opened_at AS duration,
    a.impact,
    a.type,
    a.sub_type,
    a.source,
    a.owner,
    a.acknowledged_by,
    a.acknowledged_at,
    a.suspended_until,
    a.flaps,
    a.explanation ->> 'key'::text AS metric,
    (a.explanation ->> 'value'::text)::double precision AS value,
    a.explanation ->> 'valueText'::text AS value_text,
    (a.explanation ->> 'bound'::text)::double precision AS bound,
    a.explanation ->> 'unit'::text AS unit,
    a.explanation ->> 'text'::text AS explanation,
    i.number AS incident,
    a.id,
    a.definition_id,
    o.uuid AS object_id
   FROM alert a
     JOIN object o ON o.id = a.object_id
     LEFT JOIN LATERAL ( SELECT n.number
           FROM incident_alert m
             JOIN incident n ON n.id = m.incident_id
          WHERE m.alert_id = a.id AND m.left_at IS NULL
          ORDER BY m.joined_at DESC
         LIMIT 1) i ON true;

-- Learned bounds by hour, of medium sensitivity.
create view public.bounds as
 SELECT k.day + make_interval(hours => b.hour::integer) AS "time",
    o.name AS object,
    o.adapter_kind,
    o.object_kind AS kind,
    g.name AS "group",
    m.instance,
    p.metric,
    l.lower - 2::double precision * l.spread AS lower,
    l.upper + 2::double precision * l.spread AS upper,
    g.units[(k.first_position + p."position")] AS unit,
    o.uuid AS object_id
   FROM learned_block k
     JOIN learned_band b ON b.block_id = k.id
     JOIN metric_group g ON g.id = k.group_id
     CROSS JOIN LATERAL unnest(g.metrics[k.first_position + 1:k.first_position + k.width]) WITH ORDINALITY p(metric, "position")
     CROSS JOIN LATERAL unnest(k.set_ids) WITH ORDINALITY s(set_id, place)
     JOIN metric_set m ON m.id = s.set_id
     JOIN object o ON o.id = m.object_id
     CROSS JOIN LATERAL ( SELECT float4_at(b.lower, (4 * (k.sets * (p."position" - 1) + s.place - 1))::integer) AS lower,
            float4_at(b.upper, (4 * (k.sets * (p."position" - 1) + s.place - 1))::integer) AS upper,
            float4_at(k.spread, (4 * (k.sets * (p."position" - 1) + s.place - 1))::integer) AS spread) l
  WHERE k.since <= now() AND l.lower IS NOT NULL AND l.upper IS NOT NULL AND l.spread IS NOT NULL;

-- Changes of objects.
create view public.changes as
 SELECT c."time",
    r.until,
    c.kind,
    c.key,
    c.old_value AS before,
    c.new_value AS after,
    o.name AS object,
    o.adapter_kind,
    o.object_kind,
    r.author,
    r.note,
    r.goal,
    c.id,
    o.uuid AS object_id
   FROM object_change c
     JOIN object o ON o.id = c.object_id
     LEFT JOIN recorded_change r ON r.change_id = c.id;

-- What of each bucket of flows was folded into "other", and what several observers told.
create view public.flow_buckets as
 SELECT level,
    "time",
    bytes,
    folded_bytes,
    folded_bytes::double precision / NULLIF(bytes, 0)::double precision AS folded_share,
    folded_keys,
    duplicate_bytes,
    duplicate_bytes::double precision / NULLIF(bytes + duplicate_bytes, 0)::double precision AS duplicate_share
   FROM flow_bucket;

-- Ends of flows: addresses with the object that has or had them, or what many addresses are folded into.
create view public.flow_ends as
 SELECT e.id,
    COALESCE(o.name, host(e.address), n.name,
        CASE
            WHEN e.internal THEN 'other internal'::text
            ELSE 'Internet'::text
        END) AS name,
    o.uuid AS object_id,
    o.adapter_kind,
    o.object_kind AS kind,
    e.address,
    n.name AS network,
    e.internal,
    e.first_seen,
    e.last_seen
   FROM endpoint e
     LEFT JOIN object o ON o.id = e.object_id
     LEFT JOIN flow_network n ON n.id = e.network_id;

-- Up to where each level of flows is rolled up, from where it is kept, and notes of buckets to be rolled up again.
create view public.flow_levels as
 SELECT s.level,
    s.rolled_until,
    s.kept_from,
    count(d.bucket) AS waiting_buckets
   FROM flow_level_state s
     LEFT JOIN flow_dirty d ON d.level = s.level
  GROUP BY s.level, s.rolled_until, s.kept_from;

-- Flows by minute, each once: of several observers the one that saw most in the minute. Always filter on time.
create view public.flows as
 SELECT f."time",
    s.name AS sender,
    s.object_id AS sender_id,
    s.kind AS sender_kind,
    s.address AS sender_address,
    s.network AS sender_network,
    r.name AS receiver,
    r.object_id AS receiver_id,
    r.kind AS receiver_kind,
    r.address AS receiver_address,
    r.network AS receiver_network,
        CASE
            WHEN s.internal <> r.internal THEN 'north-south'::text
            WHEN s.internal THEN 'east-west'::text
            ELSE 'external'::text
        END AS traffic,
    flow_protocol(f.proto::integer) AS protocol,
    f.port,
    COALESCE(v.name,
        CASE
            WHEN f.port > 0 THEN f.port || '/'::text
            ELSE ''::text
        END || flow_protocol(f.proto::integer)) AS service,
    f.to_service,
    f.bytes,
    f.packets,
    f.flows,
    f.sessions,
    f.resets,
    f.drops,
    f.observers
   FROM ( SELECT of_observer."time",
            of_observer.src,
            of_observer.dst,
            of_observer.port,
            of_observer.proto,
            of_observer.to_service,
            of_observer.observer,
            of_observer.bytes,
            of_observer.packets,
            of_observer.flows,
            of_observer.sessions,
            of_observer.resets,
            of_observer.drops,
            row_number() OVER traffic AS place,
            count(*) OVER (PARTITION BY of_observer."time", of_observer.src, of_observer.dst, of_observer.port, of_observer.proto, of_observer.to_service) AS observers
           FROM ( SELECT DISTINCT ON (flow_part."time", flow_part.src, flow_part.dst, flow_part.port, flow_part.proto, flow_part.to_service, flow_part.observer) flow_part."time",
                    flow_part.src,
                    flow_part.dst,
                    flow_part.port,
                    flow_part.proto,
                    flow_part.to_service,
                    flow_part.observer,
                    sum(flow_part.bytes)::bigint AS bytes,
                    sum(flow_part.packets)::bigint AS packets,
                    sum(flow_part.flows) AS flows,
                    sum(flow_part.sessions) AS sessions,
                    sum(flow_part.resets) AS resets,
                    sum(flow_part.drops)::bigint AS drops
                   FROM flow_part
                  GROUP BY flow_part."time", flow_part.src, flow_part.dst, flow_part.port, flow_part.proto, flow_part.to_service, flow_part.observer, flow_part.egress
                  ORDER BY flow_part."time", flow_part.src, flow_part.dst, flow_part.port, flow_part.proto, flow_part.to_service, flow_part.observer, flow_part.egress) of_observer
          WINDOW traffic AS (PARTITION BY of_observer."time", of_observer.src, of_observer.dst, of_observer.port, of_observer.proto, of_observer.to_service ORDER BY of_observer.bytes DESC, of_observer.packets DESC, of_observer.drops DESC, of_observer.observer)) f
     JOIN flow_ends s ON s.id = f.src
     JOIN flow_ends r ON r.id = f.dst
     LEFT JOIN flow_service v ON v.protocol =
        CASE f.proto
            WHEN 33 THEN 6
            WHEN 132 THEN 6
            WHEN 136 THEN 17
            ELSE f.proto::integer
        END AND v.port =
        CASE
            WHEN f.proto = ANY (ARRAY[1, 58]) THEN f.port / 256 * 256
            ELSE f.port
        END
  WHERE f.place = 1;

-- Flows of a bucket, each once; what is beyond the largest of a sender is in rows with folded = true. Always filter on time.
create view public.flows_1d as
 SELECT f."time",
    s.name AS sender,
    s.object_id AS sender_id,
    s.kind AS sender_kind,
    s.address AS sender_address,
    s.network AS sender_network,
    COALESCE(r.name,
        CASE f.dst
            WHEN '-1'::integer THEN 'other internal'::text
            ELSE 'other'::text
        END) AS receiver,
    r.object_id AS receiver_id,
    r.kind AS receiver_kind,
    r.address AS receiver_address,
    r.network AS receiver_network,
        CASE
            WHEN s.internal <> COALESCE(r.internal, f.dst = '-1'::integer) THEN 'north-south'::text
            WHEN s.internal THEN 'east-west'::text
            ELSE 'external'::text
        END AS traffic,
        CASE
            WHEN f.dst >= 0 THEN flow_protocol(f.proto::integer)
            ELSE NULL::text
        END AS protocol,
        CASE
            WHEN f.dst >= 0 THEN f.port
            ELSE NULL::integer
        END AS port,
        CASE
            WHEN f.dst >= 0 THEN COALESCE(v.name,
            CASE
                WHEN f.port > 0 THEN f.port || '/'::text
                ELSE ''::text
            END || flow_protocol(f.proto::integer))
            ELSE 'other'::text
        END AS service,
    f.to_service,
    f.bytes,
    f.packets,
    f.flows,
    f.sessions,
    f.resets,
    f.drops,
    f.peak AS peak_minute_bytes,
    f.dst < 0 AS folded,
    f.keys
   FROM flow_1d f
     JOIN flow_ends s ON s.id = f.src
     LEFT JOIN flow_ends r ON r.id = f.dst
     LEFT JOIN flow_service v ON v.protocol =
        CASE f.proto
            WHEN 33 THEN 6
            WHEN 132 THEN 6
            WHEN 136 THEN 17
            ELSE f.proto::integer
        END AND v.port =
        CASE
            WHEN f.proto = ANY (ARRAY[1, 58]) THEN f.port / 256 * 256
            ELSE f.port
        END;

-- Flows of a bucket, each once; what is beyond the largest of a sender is in rows with folded = true. Always filter on time.
create view public.flows_1h as
 SELECT f."time",
    s.name AS sender,
    s.object_id AS sender_id,
    s.kind AS sender_kind,
    s.address AS sender_address,
    s.network AS sender_network,
    COALESCE(r.name,
        CASE f.dst
            WHEN '-1'::integer THEN 'other internal'::text
            ELSE 'other'::text
        END) AS receiver,
    r.object_id AS receiver_id,
    r.kind AS receiver_kind,
    r.address AS receiver_address,
    r.network AS receiver_network,
        CASE
            WHEN s.internal <> COALESCE(r.internal, f.dst = '-1'::integer) THEN 'north-south'::text
            WHEN s.internal THEN 'east-west'::text
            ELSE 'external'::text
        END AS traffic,
        CASE
            WHEN f.dst >= 0 THEN flow_protocol(f.proto::integer)
            ELSE NULL::text
        END AS protocol,
        CASE
            WHEN f.dst >= 0 THEN f.port
            ELSE NULL::integer
        END AS port,
        CASE
            WHEN f.dst >= 0 THEN COALESCE(v.name,
            CASE
                WHEN f.port > 0 THEN f.port || '/'::text
                ELSE ''::text
            END || flow_protocol(f.proto::integer))
            ELSE 'other'::text
        END AS service,
    f.to_service,
    f.bytes,
    f.packets,
    f.flows,
    f.sessions,
    f.resets,
    f.drops,
    f.peak AS peak_minute_bytes,
    f.dst < 0 AS folded,
    f.keys
   FROM flow_1h f
     JOIN flow_ends s ON s.id = f.src
     LEFT JOIN flow_ends r ON r.id = f.dst
     LEFT JOIN flow_service v ON v.protocol =
        CASE f.proto
            WHEN 33 THEN 6
            WHEN 132 THEN 6
            WHEN 136 THEN 17
            ELSE f.proto::integer
        END AND v.port =
        CASE
            WHEN f.proto = ANY (ARRAY[1, 58]) THEN f.port / 256 * 256
            ELSE f.port
        END;

-- Flows of a bucket, each once; what is beyond the largest of a sender is in rows with folded = true. Always filter on time.
create view public.flows_5m as
 SELECT f."time",
    s.name AS sender,
    s.object_id AS sender_id,
    s.kind AS sender_kind,
    s.address AS sender_address,
    s.network AS sender_network,
    COALESCE(r.name,
        CASE f.dst
            WHEN '-1'::integer THEN 'other internal'::text
            ELSE 'other'::text
        END) AS receiver,
    r.object_id AS receiver_id,
    r.kind AS receiver_kind,
    r.address AS receiver_address,
    r.network AS receiver_network,
        CASE
            WHEN s.internal <> COALESCE(r.internal, f.dst = '-1'::integer) THEN 'north-south'::text
            WHEN s.internal THEN 'east-west'::text
            ELSE 'external'::text
        END AS traffic,
        CASE
            WHEN f.dst >= 0 THEN flow_protocol(f.proto::integer)
            ELSE NULL::text
        END AS protocol,
        CASE
            WHEN f.dst >= 0 THEN f.port
            ELSE NULL::integer
        END AS port,
        CASE
            WHEN f.dst >= 0 THEN COALESCE(v.name,
            CASE
                WHEN f.port > 0 THEN f.port || '/'::text
                ELSE ''::text
            END || flow_protocol(f.proto::integer))
            ELSE 'other'::text
        END AS service,
    f.to_service,
    f.bytes,
    f.packets,
    f.flows,
    f.sessions,
    f.resets,
    f.drops,
    f.peak AS peak_minute_bytes,
    f.dst < 0 AS folded,
    f.keys
   FROM flow_5m f
     JOIN flow_ends s ON s.id = f.src
     LEFT JOIN flow_ends r ON r.id = f.dst
     LEFT JOIN flow_service v ON v.protocol =
        CASE f.proto
            WHEN 33 THEN 6
            WHEN 132 THEN 6
            WHEN 136 THEN 17
            ELSE f.proto::integer
        END AND v.port =
        CASE
            WHEN f.proto = ANY (ARRAY[1, 58]) THEN f.port / 256 * 256
            ELSE f.port
        END;

create view public.last_relation as
 SELECT relation.parent_id,
    relation.child_id
   FROM relation
UNION ALL
 SELECT t.id AS parent_id,
    o.id AS child_id
   FROM object o
     JOIN object_reference r ON r.object_id = o.id AND r.role = 'parent'::text
     JOIN object t ON t.adapter_kind = r.adapter_kind AND t.object_kind = r.object_kind AND t.locator = r.locator
  WHERE o.removed_at IS NOT NULL AND t.id <> o.id
UNION ALL
 SELECT t.id AS parent_id,
    o.id AS child_id
   FROM object o
     JOIN object_reference r ON r.object_id = o.id AND r.role = 'parent'::text
     JOIN object t ON t.adapter_kind = r.adapter_kind AND t.object_kind = r.object_kind AND t.external_id = r.locator
  WHERE o.removed_at IS NOT NULL AND t.id <> o.id;

-- Raw samples, one row per value. Always filter on time.
create view public.metric as
 SELECT s."time",
    o.uuid AS object_id,
    o.name AS object,
    o.adapter_kind,
    o.object_kind AS kind,
    g.name AS "group",
    m.instance,
    v.metric,
    v.value,
    v.unit
   FROM sample s
     JOIN metric_set m ON m.id = s.set_id
     JOIN metric_group g ON g.id = m.group_id
     JOIN object o ON o.id = m.object_id
     CROSS JOIN LATERAL UNNEST(g.metrics, s."values", g.units) v(metric, value, unit)
  WHERE v.value IS NOT NULL;

-- Roll-ups of 1 hour, one row per metric and bucket; time is the begin of the bucket.
create view public.metric_1h as
 SELECT s."time",
    o.uuid AS object_id,
    o.name AS object,
    o.adapter_kind,
    o.object_kind AS kind,
    g.name AS "group",
    m.instance,
    v.metric,
    v.avg,
    COALESCE(v.min, v.avg) AS min,
    COALESCE(v.max, v.avg) AS max,
    COALESCE(v.last, v.avg) AS last,
    COALESCE(v.count, s.samples) AS count,
    v.unit
   FROM sample_1h s
     JOIN metric_set m ON m.id = s.set_id
     JOIN metric_group g ON g.id = m.group_id
     JOIN object o ON o.id = m.object_id
     CROSS JOIN LATERAL UNNEST(g.metrics, s.avg, s.min, s.max, s.last, s.counts, g.units) v(metric, avg, min, max, last, count, unit)
  WHERE v.avg IS NOT NULL;

-- Roll-ups of 5 minutes, one row per metric and bucket; time is the begin of the bucket.
create view public.metric_5m as
 SELECT s."time",
    o.uuid AS object_id,
    o.name AS object,
    o.adapter_kind,
    o.object_kind AS kind,
    g.name AS "group",
    m.instance,
    v.metric,
    v.avg,
    COALESCE(v.min, v.avg) AS min,
    COALESCE(v.max, v.avg) AS max,
    COALESCE(v.last, v.avg) AS last,
    COALESCE(v.count, s.samples) AS count,
    v.unit
   FROM sample_5m s
     JOIN metric_set m ON m.id = s.set_id
     JOIN metric_group g ON g.id = m.group_id
     JOIN object o ON o.id = m.object_id
     CROSS JOIN LATERAL UNNEST(g.metrics, s.avg, s.min, s.max, s.last, s.counts, g.units) v(metric, avg, min, max, last, count, unit)
  WHERE v.avg IS NOT NULL;

-- The named networks in force, with the internal addresses that flows have shown in them.
create view public.networks as
 SELECT d.name,
    d.cidrs,
    d.internal,
    d.vlan,
    d.site,
    d.description,
    COALESCE(e.addresses, 0::bigint) AS addresses,
    e.last_seen
   FROM ( SELECT flow_networks_version.definition
           FROM flow_networks_version
          ORDER BY flow_networks_version.version DESC
         LIMIT 1) newest
     CROSS JOIN LATERAL jsonb_to_recordset(newest.definition) d(name text, cidrs text[], internal boolean, vlan integer, site text, description text)
     LEFT JOIN LATERAL ( SELECT count(e_1.address) AS addresses,
            max(e_1.last_seen) AS last_seen
           FROM endpoint e_1
             JOIN flow_network n ON n.id = e_1.network_id
          WHERE n.name = d.name) e ON true;

-- Objects that are not removed.
create view public.objects as
 SELECT o.name AS object,
    o.adapter_kind,
    o.object_kind,
    o.properties ->> 'summary|parentHost'::text AS host,
    o.properties ->> 'summary|parentCluster'::text AS cluster,
    o.properties ->> 'summary|parentDatacenter'::text AS datacenter,
    o.properties ->> 'summary|parentVcenter'::text AS vcenter,
    o.first_seen,
    l.last_seen,
    o.uuid AS object_id
   FROM object o
     LEFT JOIN object_liveness l ON l.object_id = o.id
  WHERE o.removed_at IS NULL;

-- Who sends flows.
create view public.observers as
 SELECT o.exporter,
    o.domain,
    (ARRAY['unknown'::text, 'sflow-5'::text, 'netflow-5'::text, 'netflow-9'::text, 'ipfix'::text])[o.version + 1] AS version,
    o.first_seen,
    o.last_seen,
    e.population::double precision / NULLIF(e.sampled, 0)::double precision AS sampling_rate,
    o.id AS observer
   FROM flow_observer o
     LEFT JOIN LATERAL ( SELECT x.population,
            x.sampled
           FROM flow_exporter x
          WHERE x.address = o.exporter AND x.version = o.version AND x.population > 0 AND x.sampled > 0
          ORDER BY x.sampler
         LIMIT 1) e ON true;

-- Events of members that are or were unlike their peers, one row each.
create view public.outlier as
 SELECT e.number,
    e.group_name AS "group",
    o.name AS object,
    o.adapter_kind,
    o.object_kind,
    e.status,
    e.side,
    (ARRAY['information'::text, 'warning'::text, 'immediate'::text, 'critical'::text])[e.severity] AS severity,
    e.since,
    e.opened_at,
    e.closed_at,
    e.close_reason,
    COALESCE(e.closed_at, now()) - e.since AS duration,
    e.score,
    e.peak_score,
    e.flaps,
    (e.metrics -> 0) ->> 'key'::text AS metric,
    ((e.metrics -> 0) ->> 'value'::text)::double precision AS value,
    ((e.metrics -> 0) ->> 'centre'::text)::double precision AS centre,
    e.explanation ->> 'text'::text AS explanation,
    e.archived_at IS NOT NULL AS archived,
    e.id,
    e.group_id,
    o.uuid AS object_id,
    e.evidence,
    (e.properties -> 0) ->> 'key'::text AS property,
    (e.properties -> 0) ->> 'value'::text AS property_value,
    (e.properties -> 0) ->> 'common'::text AS property_of_peers
   FROM outlier_event e
     LEFT JOIN object o ON o.id = e.object_id;

-- Properties and tags of objects as they are now.
create view public.properties as
 SELECT o.name AS object,
    o.adapter_kind,
    o.object_kind,
    p.key,
    p.value,
    false AS tag,
    o.uuid AS object_id
   FROM object o
     CROSS JOIN LATERAL jsonb_each_text(o.properties) p(key, value)
  WHERE o.removed_at IS NULL
UNION ALL
 SELECT o.name AS object,
    o.adapter_kind,
    o.object_kind,
    t.key,
    t.value,
    true AS tag,
    o.uuid AS object_id
   FROM object o
     CROSS JOIN LATERAL jsonb_each_text(o.tags) t(key, value)
  WHERE o.removed_at IS NULL;

-- The largest talkers of a bucket, by dimension, direction and traffic. Always filter on these and on time.
create view public.talkers_1d as
 SELECT t."time",
    (ARRAY['vm'::text, 'host'::text, 'cluster'::text, 'tier'::text, 'network'::text, 'port'::text, 'protocol'::text, 'pair'::text])[t.dimension + 1] AS dimension,
    (ARRAY['sent'::text, 'received'::text, 'both'::text])[t.direction + 1] AS direction,
    (ARRAY['east-west'::text, 'north-south'::text, 'external'::text, 'all'::text])[t.traffic + 1] AS traffic,
        CASE t.dimension
            WHEN 3 THEN g.name
            WHEN 4 THEN n.name
            WHEN 5 THEN COALESCE(v.name,
            CASE
                WHEN (k.key % 65536::bigint) > 0 THEN (k.key % 65536::bigint) || '/'::text
                ELSE ''::text
            END || flow_protocol((k.key / 65536)::integer))
            WHEN 6 THEN flow_protocol(k.key::integer)
            ELSE COALESCE(o.name, e.name)
        END AS talker,
        CASE
            WHEN t.dimension = 7 THEN COALESCE(ro.name, re.name)
            ELSE NULL::text
        END AS receiver,
    COALESCE(o.uuid, e.object_id) AS object_id,
    COALESCE(ro.uuid, re.object_id) AS receiver_id,
    k.bytes,
    k.packets,
    k.flows,
    k.sessions,
    k.resets,
    k.drops,
    k.peak AS peak_minute_bytes,
    k.bytes::double precision / NULLIF(t.total[1], 0)::double precision AS share,
    t.total[1] AS total_bytes,
    t.missed IS NULL AS exact
   FROM talker_1d t
     CROSS JOIN LATERAL UNNEST(t.keys, t.bytes, t.packets, t.flows, t.sessions, t.resets, t.drops, t.peak) k(key, bytes, packets, flows, sessions, resets, drops, peak)
     LEFT JOIN object o ON o.id =
        CASE
            WHEN t.dimension <= 2 THEN k.key
            WHEN t.dimension = 7 AND ((k.key >> 32) & 1::bigint) = 0 THEN k.key >> 33
            ELSE NULL::bigint
        END
     LEFT JOIN flow_ends e ON e.id =
        CASE
            WHEN t.dimension = 7 AND ((k.key >> 32) & 1::bigint) = 1 THEN k.key >> 33
            ELSE NULL::bigint
        END
     LEFT JOIN object ro ON ro.id =
        CASE
            WHEN t.dimension = 7 AND (k.key & 1::bigint) = 0 THEN (k.key & '4294967295'::bigint) >> 1
            ELSE NULL::bigint
        END
     LEFT JOIN flow_ends re ON re.id =
        CASE
            WHEN t.dimension = 7 AND (k.key & 1::bigint) = 1 THEN (k.key & '4294967295'::bigint) >> 1
            ELSE NULL::bigint
        END
     LEFT JOIN talker_tier g ON g.id =
        CASE
            WHEN t.dimension = 3 THEN k.key
            ELSE NULL::bigint
        END
     LEFT JOIN flow_network n ON n.id =
        CASE
            WHEN t.dimension = 4 THEN k.key
            ELSE NULL::bigint
        END
     LEFT JOIN flow_service v ON v.protocol =
        CASE
            WHEN t.dimension = 5 THEN
            CASE k.key / 65536
                WHEN 33 THEN 6::bigint
                WHEN 132 THEN 6::bigint
                WHEN 136 THEN 17::bigint
                ELSE k.key / 65536
            END
            ELSE NULL::bigint
        END AND v.port =
        CASE
            WHEN (k.key / 65536) = ANY (ARRAY[1::bigint, 58::bigint]) THEN k.key % 65536::bigint / 256 * 256
            ELSE k.key % 65536::bigint
        END;

-- The largest talkers of a bucket, by dimension, direction and traffic. Always filter on these and on time.
create view public.talkers_1h as
 SELECT t."time",
    (ARRAY['vm'::text, 'host'::text, 'cluster'::text, 'tier'::text, 'network'::text, 'port'::text, 'protocol'::text, 'pair'::text])[t.dimension + 1] AS dimension,
    (ARRAY['sent'::text, 'received'::text, 'both'::text])[t.direction + 1] AS direction,
    (ARRAY['east-west'::text, 'north-south'::text, 'external'::text, 'all'::text])[t.traffic + 1] AS traffic,
        CASE t.dimension
            WHEN 3 THEN g.name
            WHEN 4 THEN n.name
            WHEN 5 THEN COALESCE(v.name,
            CASE
                WHEN (k.key % 65536::bigint) > 0 THEN (k.key % 65536::bigint) || '/'::text
                ELSE ''::text
            END || flow_protocol((k.key / 65536)::integer))
            WHEN 6 THEN flow_protocol(k.key::integer)
            ELSE COALESCE(o.name, e.name)
        END AS talker,
        CASE
            WHEN t.dimension = 7 THEN COALESCE(ro.name, re.name)
            ELSE NULL::text
        END AS receiver,
    COALESCE(o.uuid, e.object_id) AS object_id,
    COALESCE(ro.uuid, re.object_id) AS receiver_id,
    k.bytes,
    k.packets,
    k.flows,
    k.sessions,
    k.resets,
    k.drops,
    k.peak AS peak_minute_bytes,
    k.bytes::double precision / NULLIF(t.total[1], 0)::double precision AS share,
    t.total[1] AS total_bytes,
    t.missed IS NULL AS exact
   FROM talker_1h t
     CROSS JOIN LATERAL UNNEST(t.keys, t.bytes, t.packets, t.flows, t.sessions, t.resets, t.drops, t.peak) k(key, bytes, packets, flows, sessions, resets, drops, peak)
     LEFT JOIN object o ON o.id =
        CASE
            WHEN t.dimension <= 2 THEN k.key
            WHEN t.dimension = 7 AND ((k.key >> 32) & 1::bigint) = 0 THEN k.key >> 33
            ELSE NULL::bigint
        END
     LEFT JOIN flow_ends e ON e.id =
        CASE
            WHEN t.dimension = 7 AND ((k.key >> 32) & 1::bigint) = 1 THEN k.key >> 33
            ELSE NULL::bigint
        END
     LEFT JOIN object ro ON ro.id =
        CASE
            WHEN t.dimension = 7 AND (k.key & 1::bigint) = 0 THEN (k.key & '4294967295'::bigint) >> 1
            ELSE NULL::bigint
        END
     LEFT JOIN flow_ends re ON re.id =
        CASE
            WHEN t.dimension = 7 AND (k.key & 1::bigint) = 1 THEN (k.key & '4294967295'::bigint) >> 1
            ELSE NULL::bigint
        END
     LEFT JOIN talker_tier g ON g.id =
        CASE
            WHEN t.dimension = 3 THEN k.key
            ELSE NULL::bigint
        END
     LEFT JOIN flow_network n ON n.id =
        CASE
            WHEN t.dimension = 4 THEN k.key
            ELSE NULL::bigint
        END
     LEFT JOIN flow_service v ON v.protocol =
        CASE
            WHEN t.dimension = 5 THEN
            CASE k.key / 65536
                WHEN 33 THEN 6::bigint
                WHEN 132 THEN 6::bigint
                WHEN 136 THEN 17::bigint
                ELSE k.key / 65536
            END
            ELSE NULL::bigint
        END AND v.port =
        CASE
            WHEN (k.key / 65536) = ANY (ARRAY[1::bigint, 58::bigint]) THEN k.key % 65536::bigint / 256 * 256
            ELSE k.key % 65536::bigint
        END;

-- The largest talkers of a bucket, by dimension, direction and traffic. Always filter on these and on time.
create view public.talkers_5m as
 SELECT t."time",
    (ARRAY['vm'::text, 'host'::text, 'cluster'::text, 'tier'::text, 'network'::text, 'port'::text, 'protocol'::text, 'pair'::text])[t.dimension + 1] AS dimension,
    (ARRAY['sent'::text, 'received'::text, 'both'::text])[t.direction + 1] AS direction,
    (ARRAY['east-west'::text, 'north-south'::text, 'external'::text, 'all'::text])[t.traffic + 1] AS traffic,
        CASE t.dimension
            WHEN 3 THEN g.name
            WHEN 4 THEN n.name
            WHEN 5 THEN COALESCE(v.name,
            CASE
                WHEN (k.key % 65536::bigint) > 0 THEN (k.key % 65536::bigint) || '/'::text
                ELSE ''::text
            END || flow_protocol((k.key / 65536)::integer))
            WHEN 6 THEN flow_protocol(k.key::integer)
            ELSE COALESCE(o.name, e.name)
        END AS talker,
        CASE
            WHEN t.dimension = 7 THEN COALESCE(ro.name, re.name)
            ELSE NULL::text
        END AS receiver,
    COALESCE(o.uuid, e.object_id) AS object_id,
    COALESCE(ro.uuid, re.object_id) AS receiver_id,
    k.bytes,
    k.packets,
    k.flows,
    k.sessions,
    k.resets,
    k.drops,
    k.peak AS peak_minute_bytes,
    k.bytes::double precision / NULLIF(t.total[1], 0)::double precision AS share,
    t.total[1] AS total_bytes,
    t.missed IS NULL AS exact
   FROM talker_5m t
     CROSS JOIN LATERAL UNNEST(t.keys, t.bytes, t.packets, t.flows, t.sessions, t.resets, t.drops, t.peak) k(key, bytes, packets, flows, sessions, resets, drops, peak)
     LEFT JOIN object o ON o.id =
        CASE
            WHEN t.dimension <= 2 THEN k.key
            WHEN t.dimension = 7 AND ((k.key >> 32) & 1::bigint) = 0 THEN k.key >> 33
            ELSE NULL::bigint
        END
     LEFT JOIN flow_ends e ON e.id =
        CASE
            WHEN t.dimension = 7 AND ((k.key >> 32) & 1::bigint) = 1 THEN k.key >> 33
            ELSE NULL::bigint
        END
     LEFT JOIN object ro ON ro.id =
        CASE
            WHEN t.dimension = 7 AND (k.key & 1::bigint) = 0 THEN (k.key & '4294967295'::bigint) >> 1
            ELSE NULL::bigint
        END
     LEFT JOIN flow_ends re ON re.id =
        CASE
            WHEN t.dimension = 7 AND (k.key & 1::bigint) = 1 THEN (k.key & '4294967295'::bigint) >> 1
            ELSE NULL::bigint
        END
     LEFT JOIN talker_tier g ON g.id =
        CASE
            WHEN t.dimension = 3 THEN k.key
            ELSE NULL::bigint
        END
     LEFT JOIN flow_network n ON n.id =
        CASE
            WHEN t.dimension = 4 THEN k.key
            ELSE NULL::bigint
        END
     LEFT JOIN flow_service v ON v.protocol =
        CASE
            WHEN t.dimension = 5 THEN
            CASE k.key / 65536
                WHEN 33 THEN 6::bigint
                WHEN 132 THEN 6::bigint
                WHEN 136 THEN 17::bigint
                ELSE k.key / 65536
            END
            ELSE NULL::bigint
        END AND v.port =
        CASE
            WHEN (k.key / 65536) = ANY (ARRAY[1::bigint, 58::bigint]) THEN k.key % 65536::bigint / 256 * 256
            ELSE k.key % 65536::bigint
        END;
