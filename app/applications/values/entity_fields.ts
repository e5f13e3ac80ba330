import { httpUrl, label, prose } from '#core/validation/fields'

/** Fields of requests and of policies (applications.md#entity-fields). */
export const entityFields = {
  description: prose().nullable().optional(),
  idLabel: label().nullable().optional(),
  listEndpoint: httpUrl().nullable().optional(),
}
