import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { document } from '#tests/helpers/described_operations'

const ajv = addFormats
  .default(new Ajv2020({ strict: false, allErrors: false }))
  .addSchema(document, 'api')

/** Compiles the schema at a JSON pointer of the description, once. */
export function validatorAt(pointer: string): ValidateFunction | undefined {
  return ajv.getSchema(`api${pointer}`)
}
