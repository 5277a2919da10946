{{/* Every write is on disk before it is acknowledged. The batch limit is what a busy API needs. */}}
{{- define "packshot.natsConfig" -}}
{{- $name := include "packshot.name" . -}}
server_name: $POD_NAME
listen: 0.0.0.0:4222
http: 0.0.0.0:8222
# The largest message is an account record.
max_payload: 1MB
# A server that is stopped hands its clients over to the others for so long.
lame_duck_grace_period: 2s
lame_duck_duration: 20s
jetstream {
  store_dir: /data
  # What streams may take is PACKSHOT_LOG_MAX_BYTES. Otherwise nats-server would not start again on a disk that has filled up.
  max_file_store: 1PB
  sync_interval: always
  limits { batch { max_inflight_per_stream: 400 } }
}
{{- if gt (int .Values.nats.replicas) 1 }}
cluster {
  name: {{ $name }}
  listen: 0.0.0.0:6222
  routes: [
    {{- range $index := until (int .Values.nats.replicas) }}
    nats://{{ $name }}-nats-{{ $index }}.{{ $name }}-nats:6222
    {{- end }}
  ]
}
{{- end }}
{{- end }}
