import type { HttpContext } from '@adonisjs/core/http'
import { textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { applyBranding } from '#app/identity_provider/organisations/apply_branding'
import { createOrganisation } from '#app/identity_provider/organisations/create_organisation'
import { setUpOrganisation } from '#app/identity_provider/organisations/set_up_organisation'
import { listOrganisations } from '#app/identity_provider/zitadel/organisations'
import {
  brandingValidator,
  createOrganisationValidator,
  setUpOrganisationValidator,
} from '#app/identity_provider/validators/organisation_validator'

/** See identity-provider.md#administration-of-the-provider. */
export default class OrganisationsController {
  /** List organisations */
  async index() {
    return successEnvelope(await listOrganisations())
  }

  /**
   * Create an organisation with its domain. Completes an organisation that an earlier attempt left
   * incomplete.
   */
  async store({ request, response }: HttpContext) {
    const fields = await createOrganisationValidator.validate(request.body())
    return response.created(successEnvelope(await createOrganisation(fields)))
  }

  /**
   * Brand an organisation. Sets the primary colour and the logo and activates them. The logo is
   * copied from its address.
   */
  async brand(ctx: HttpContext) {
    const orgId = textParam(ctx, 'orgId')
    const { primaryColor, logoUrl } = await brandingValidator.validate(ctx.request.body())
    return successEnvelope(await applyBranding(orgId, { primaryColor, logoUrl: logoUrl ?? null }))
  }

  /**
   * Set up an organisation for an application. Creates the project and the OIDC client if they do
   * not exist yet, so that users of the organisation can sign in. Later synchronisations of the
   * application include the client.
   */
  async setup(ctx: HttpContext) {
    const orgId = textParam(ctx, 'orgId')
    const fields = await setUpOrganisationValidator.validate(ctx.request.body())
    return successEnvelope(await setUpOrganisation(orgId, fields))
  }
}
