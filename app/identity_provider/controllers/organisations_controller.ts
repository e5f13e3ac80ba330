import type { HttpContext } from '@adonisjs/core/http'
import { textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { applyBranding } from '#app/identity_provider/organisations/apply_branding'
import { createOrganisation } from '#app/identity_provider/organisations/create_organisation'
import { readBranding } from '#app/identity_provider/organisations/read_branding'
import { setUpOrganisation } from '#app/identity_provider/organisations/set_up_organisation'
import { listOrganisations } from '#app/identity_provider/zitadel/organisations'
import { mappedApplications } from '#app/identity_provider/queries/mapped_applications'
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

  /** Get the branding of an organisation. Returns what is active at the identity provider. */
  async branding(ctx: HttpContext) {
    return successEnvelope(await readBranding(textParam(ctx, 'orgId')))
  }

  /**
   * List the applications of organisations. New members of an organisation get a preference in its
   * applications. Does not call the identity provider.
   */
  async applications() {
    return successEnvelope(await mappedApplications())
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
