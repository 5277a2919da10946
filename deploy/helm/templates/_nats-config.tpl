{{/* Every write is on disk before it is acknowledged. The batch limit is what a busy API needs. */}}
{{- define "packshot.natsConfig" -}}
{{- $name := include "packshot.name" . -}}
server_name: $POD_NAME
listen: 0.0.0.0:4222
http: 0.0.0.0:8222
# The largest message is an account record.
max_payload: 1MB
jetstream {
  store_dir: /data
  # What streams may take is PACKSHOT_LOG_MAX_BYTES. Otherwise nats-server would not start again on a disk that has filled up.
  max_file_store: 1PB
  sync_interval: always
  limits { batch { max_inflight_per_stream: 400 } }
}
{{- if .Values.nats.tls.existingSecret }}
{{ include "packshot.natsServerTls" false }}
{{- end }}
{{- if .Values.nats.auth.enabled }}
include "users.conf"
{{- end }}
{{- if gt (int .Values.nats.replicas) 1 }}
cluster {
  name: {{ $name }}
  listen: 0.0.0.0:6222
  # Clients know the servers by their names, which outlive addresses and stand in certificates.
  no_advertise: true
  {{- if .Values.nats.tls.existingSecret }}
  {{- include "packshot.natsServerTls" true | nindent 2 }}
  {{- end }}
  {{- if .Values.nats.auth.enabled }}
  # Who gets in here is a server, and may read and write every account. What is dialed shows what its address says.
  authorization { user: route, password: $NATS_CLUSTER_PASSWORD }
  routes: $NATS_ROUTES
  {{- else }}
  routes: [
    {{- range $index := until (int .Values.nats.replicas) }}
    nats://{{ $name }}-nats-{{ $index }}.{{ $name }}-nats.{{ $.Release.Namespace }}.svc:6222
    {{- end }}
  ]
  {{- end }}
}
{{- end }}
{{- end }}

{{/* With the password that Kubernetes puts into it: nats-server puts no variable into a string. */}}
{{- define "packshot.natsRoutes" -}}
{{- $name := include "packshot.name" . -}}
{{- $routes := list -}}
{{- range $index := until (int .Values.nats.replicas) -}}
{{- $routes = append $routes (printf "\"nats://route:$(NATS_CLUSTER_PASSWORD)@%s-nats-%d.%s-nats.%s.svc:6222\"" $name $index $name $.Release.Namespace) -}}
{{- end -}}
[{{ join ", " $routes }}]
{{- end }}

{{/* Members of the cluster show each other certificates; clients show passwords. */}}
{{- define "packshot.natsServerTls" -}}
tls {
  cert_file: /etc/nats-tls/tls.crt
  key_file: /etc/nats-tls/tls.key
  ca_file: /etc/nats-tls/ca.crt
  verify: {{ . }}
}
{{- end }}
