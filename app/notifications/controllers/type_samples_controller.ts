import type { HttpContext } from '@adonisjs/core/http'
import { ifMatch, tagged } from '#core/http/etag'
import { textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { type Sample, replaceTypeSamples } from '#app/notifications/actions/replace_type_samples'
import NotificationType from '#app/notifications/models/notification_type'
import NotificationTypeSample from '#app/notifications/models/notification_type_sample'
import { typeSampleResource } from '#app/notifications/transformers/type_sample_resource'
import { typeSamplesValidator } from '#app/notifications/validators/type_samples_validator'

/** See notifications.md#sample-data. */
export default class TypeSamplesController {
  /** List the sample data of a notification type. */
  async index(ctx: HttpContext) {
    const type = await NotificationType.of(textParam(ctx, 'appCode'), textParam(ctx, 'type'))
    return successEnvelope(tagged(ctx, toResources(await NotificationTypeSample.ofType(type))))
  }

  /** Replace the sample data of a notification type. Samples that are not sent are deleted. */
  async update(ctx: HttpContext) {
    const { samples } = await typeSamplesValidator.validate(ctx.request.body())
    const [appCode, code] = [textParam(ctx, 'appCode'), textParam(ctx, 'type')]
    const fresh = ifMatch(ctx, toResources)
    const stored = await replaceTypeSamples(appCode, code, samples as Sample[], fresh)
    return successEnvelope(tagged(ctx, toResources(stored)))
  }
}

const toResources = (samples: NotificationTypeSample[]) => samples.map(typeSampleResource)
