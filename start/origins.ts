import { allowedOrigins } from '#core/http/allowed_origins'
import { instanceOrigins } from '#app/applications/values/instance_origins'

allowedOrigins.loadFrom(instanceOrigins)
