import type NotificationTypeSample from '#app/notifications/models/notification_type_sample'

export function typeSampleResource({ name, data }: NotificationTypeSample) {
  return { name, data }
}

/** For the audit trail, which then has the samples that a change is about. */
export const samplesState = (samples: { name: string; data: Record<string, unknown> }[]) =>
  Object.fromEntries(samples.map(({ name, data }) => [name, data]))
