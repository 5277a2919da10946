{{/* Triton in the model server's place, on the same model repository (docs/triton.md). It checks no token. */}}
{{- define "packshot.tritonContainer" -}}
{{- $own := .Values.modelServer }}
{{- $tls := $own.tls.existingSecret }}
- name: triton
  image: {{ include "packshot.imageOf" (dict "image" $own.triton.image) }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  terminationMessagePolicy: FallbackToLogsOnError
  args:
    - tritonserver
    - --model-repository=/models
    # Otherwise it ends when one model has no weights.
    - --model-control-mode=explicit
    {{- $names := $own.models.served }}
    {{- if not $own.models.existingClaim }}{{ $names = prepend $names "packshot-mask" }}{{ end }}
    {{- range $own.models.pull }}{{ $names = append $names .name }}{{ end }}
    {{- range $names }}
    - --load-model={{ . }}
    {{- end }}
    - --http-port=8000
    - --grpc-port=8001
    - --metrics-port=8002
    {{- if $tls }}
    - --grpc-use-ssl=true
    - --grpc-server-cert=/run/secrets/model-server-tls/tls.crt
    - --grpc-server-key=/run/secrets/model-server-tls/tls.key
    {{- end }}
  securityContext: {{- include "packshot.containerSecurity" . | nindent 4 }}
  env:
    - { name: HOME, value: /tmp }
    {{- with $own.extraEnv }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  ports:
    - { name: http, containerPort: 8000 }
    - { name: grpc, containerPort: 8001 }
    - { name: metrics, containerPort: 8002 }
  startupProbe:
    httpGet: { path: /v2/health/ready, port: http }
    periodSeconds: 2
    timeoutSeconds: 5
    failureThreshold: {{ div (int $own.startupSeconds) 2 }}
  readinessProbe:
    httpGet: { path: /v2/health/ready, port: http }
    periodSeconds: 5
    timeoutSeconds: 5
  livenessProbe:
    httpGet: { path: /v2/health/live, port: http }
    periodSeconds: 10
    timeoutSeconds: 5
    failureThreshold: 6
  # It finishes what it has after SIGTERM, but takes no more: workers must have learned of it before.
  lifecycle: { preStop: { exec: { command: [sleep, {{ $own.drainSeconds | quote }}] } } }
  resources: {{- include "packshot.modelServerResources" . | nindent 4 }}
  volumeMounts:
    - { name: tmp, mountPath: /tmp }
    - { name: shared-memory, mountPath: /dev/shm }
    - { name: models, mountPath: /models, readOnly: true }
    {{- if $tls }}
    - { name: model-tls, mountPath: /run/secrets/model-server-tls, readOnly: true }
    {{- end }}
    {{- with $own.extraVolumeMounts }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}

{{/* Our server wraps a bare network when it loads it; Triton reads the bundled one as this writes it. */}}
{{- define "packshot.tritonRepository" -}}
{{- if not .Values.modelServer.models.existingClaim }}
- name: write-packshot-mask
  image: {{ include "packshot.image" . }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  terminationMessagePolicy: FallbackToLogsOnError
  args: [packages/models/wrap-model-main.ts, --to, /models, models/packshot-mask]
  securityContext: {{- include "packshot.containerSecurity" . | nindent 4 }}
  resources: {{- toYaml .Values.modelServer.models.resources | nindent 4 }}
  volumeMounts:
    - { name: models, mountPath: /models }
    - { name: tmp, mountPath: /tmp }
{{- end }}
{{- end }}
