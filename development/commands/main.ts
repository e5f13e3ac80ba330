import { ListLoader } from '@adonisjs/core/ace'
import ErrorsReference from '#development/commands/errors_reference'
import MakeModule from '#development/commands/make_module'
import OpenapiGenerate from '#development/commands/openapi_generate'
import SettingsReference from '#development/commands/settings_reference'
import Token from '#development/commands/token'

/** Commands for a checkout; the build leaves them out. */
const loader = new ListLoader([
  Token,
  MakeModule,
  OpenapiGenerate,
  ErrorsReference,
  SettingsReference,
])

/** The interface that `adonisrc.ts` expects of a command module. */
export const getMetaData = () => loader.getMetaData()
export const getCommand = (metaData: Parameters<typeof loader.getCommand>[0]) =>
  loader.getCommand(metaData)
