import { moduleFields } from '#development/module_generator/fields'
import { moduleNames } from '#development/module_generator/names'
import type { Guard, ModuleRequest } from '#development/module_generator/stub_data'

/** A request the way the command makes one. */
export function aModule(
  section: string,
  {
    resource,
    fields,
    guard = 'application',
  }: { resource?: string; fields?: string[]; guard?: Guard } = {}
): ModuleRequest {
  const names = moduleNames(section, resource)
  return { names, fields: moduleFields(fields), guard, withPanel: true }
}

/** One of each guard, with every type of field in one of them. */
export const MODULES: Record<string, ModuleRequest> = {
  'telescope.golden': aModule('observatory', {
    resource: 'telescope',
    fields: ['code:slug', 'aperture:integer?', 'firstLightAt:timestamp'],
  }),
  'star_catalog.golden': aModule('astronomy', {
    resource: 'star_catalog',
    guard: 'super-admin',
    fields: [
      'title:string',
      'notes:text',
      'shortName:slug?',
      'contact:email?',
      'homepage:url?',
      'entries:integer',
      'complete:boolean',
      'publishedAt:timestamp?',
    ],
  }),
}
