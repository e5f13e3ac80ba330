import type { AuditedRow } from '#core/audit/audited_row'
import type Application from '#app/applications/models/application'
import type Entity from '#app/applications/models/entity'
import type Instance from '#app/applications/models/instance'
import { applicationResource } from '#app/applications/transformers/application_resource'
import { entityResource } from '#app/applications/transformers/entity_resource'
import { instanceResource } from '#app/applications/transformers/instance_resource'
import {
  applicationTarget,
  entityTarget,
  instanceTarget,
} from '#app/applications/values/audit_targets'

export const auditedApplication = (application: Application): AuditedRow => ({
  application: { id: application.id, code: application.code },
  target: applicationTarget(application),
  state: applicationResource(application),
})

export const auditedEntity = (entity: Entity, appCode: string): AuditedRow => ({
  application: { id: entity.applicationId, code: appCode },
  target: entityTarget(entity),
  state: entityResource(entity),
})

export const auditedInstance = (instance: Instance, appCode: string): AuditedRow => ({
  application: { id: instance.applicationId, code: appCode },
  target: instanceTarget(instance),
  state: instanceResource(instance),
})
