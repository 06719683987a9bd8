{{/* Name of everything of this release; short enough for the suffix of the longest role. */}}
{{- define "peerlens.name" -}}
{{- $name := ternary .Release.Name (printf "%s-peerlens" .Release.Name) (contains "peerlens" .Release.Name) -}}
{{- $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "peerlens.selector" -}}
app.kubernetes.io/name: peerlens
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "peerlens.labels" -}}
{{ include "peerlens.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* Environment variable of a setting, as Spring Boot reads it. */}}
{{- define "peerlens.variable" -}}
{{- . | replace "-" "" | replace "." "_" | upper -}}
{{- end -}}

{{/* Ports of "a:1,b:2,c", each once, as JSON; the default for hosts without one. */}}
{{- define "peerlens.ports" -}}
{{- $ports := list -}}
{{- range splitList "," .hosts -}}
{{- $port := regexFind ":[0-9]+$" . | trimPrefix ":" -}}
{{- $ports = append $ports (ternary $.default (int $port) (eq $port "")) -}}
{{- end -}}
{{- $ports | uniq | toJson -}}
{{- end -}}

{{/* What the schema cannot say: values that must be given, and those that must fit each other. */}}
{{- define "peerlens.check" -}}
{{- $v := .Values -}}
{{- if not $v.image.repository -}}
{{- fail "image.repository is not set. Build the image (docker/README.md), push it into your registry, and name it here." -}}
{{- end -}}
{{- if not $v.database.url -}}
{{- fail "database.url is not set. Name the database: jdbc:postgresql://HOST/peerlens; values/cloudnativepg.yaml is an example." -}}
{{- end -}}
{{- if regexMatch "[?&](user|password)=" $v.database.url -}}
{{- fail "database.url holds a user or a password, which everybody could read who sees the Deployments. Put them into the Secret that database.secret names." -}}
{{- end -}}
{{- if not $v.database.secret.name -}}
{{- fail "database.secret.name is not set. Name the Secret with user and password of the database's owner." -}}
{{- end -}}
{{- if not $v.kafka.bootstrapServers -}}
{{- fail "kafka.bootstrapServers is not set. Name the brokers: HOST:9092; values/strimzi.yaml is an example." -}}
{{- end -}}
{{- if gt (int $v.roles.ingest.replicas) (int $v.kafka.partitions) -}}
{{- fail (printf "roles.ingest.replicas is %d, but the topic has %d partitions (kafka.partitions): the others would be idle. Take fewer replicas, or give the topic more partitions first." (int $v.roles.ingest.replicas) (int $v.kafka.partitions)) -}}
{{- end -}}
{{- with $v.roles.ingest.autoscaling -}}
{{- if .enabled -}}
{{- if gt (int .maxReplicas) (int $v.kafka.partitions) -}}
{{- fail (printf "roles.ingest.autoscaling.maxReplicas is %d, but the topic has %d partitions (kafka.partitions): the others would be idle." (int .maxReplicas) (int $v.kafka.partitions)) -}}
{{- end -}}
{{- if lt (int .maxReplicas) (int $v.roles.ingest.replicas) -}}
{{- fail (printf "roles.ingest.autoscaling.maxReplicas is %d, less than roles.ingest.replicas, %d, which is the least." (int .maxReplicas) (int $v.roles.ingest.replicas)) -}}
{{- end -}}
{{- if lt (int $v.roles.ingest.replicas) 1 -}}
{{- fail "roles.ingest.autoscaling needs roles.ingest.replicas of at least 1." -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $own := dict "peerlens.roles" "roles" "peerlens.ingest.bootstrap-servers" "kafka.bootstrapServers" "peerlens.ingest.mappings" "mappings" "peerlens.secrets.key-file" "secretsKey" "spring.datasource.url" "database.url" "spring.datasource.username" "database.secret" "spring.datasource.password" "database.secret" "server.forward-headers-strategy" "ingress.enabled" -}}
{{- $names := keys $v.settings | sortAlpha -}}
{{- range $v.secretSettings -}}
{{- $names = append $names .setting -}}
{{- end -}}
{{- range $names -}}
{{- if not (regexMatch "^[a-z][a-z0-9]*([.-][a-zA-Z0-9]+)+$" .) -}}
{{- fail (printf "'%s' in settings is not the name of a setting. docs/configuration.md has the names, such as peerlens.rollup.lag." .) -}}
{{- end -}}
{{- if hasKey $own . -}}
{{- fail (printf "'%s' is set by the chart itself, from the value %s. Set that." . (get $own .)) -}}
{{- end -}}
{{- end -}}
{{- if ne (len $names) (len (uniq $names)) -}}
{{- fail "A setting is named twice in settings and secretSettings. Keep one." -}}
{{- end -}}
{{- if and $v.ingress.enabled (not $v.ingress.host) -}}
{{- fail "ingress.host is not set. Name the host under which people reach the pages." -}}
{{- end -}}
{{- end -}}
