# syntax=docker/dockerfile:1

# Pin this to a digest for images you publish, see docs/how-to/deploy.md:

# --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim

# The build needs the development dependencies; what it makes needs neither them nor the sources.
FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
RUN npm run build

# What runs: the compiled service with the dependencies of production only.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY --from=build /src/package.json /src/package-lock.json /src/.npmrc ./
COPY --from=build /src/packages ./packages
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund
# OpenTelemetry is an optional part: --build-arg TRACING=true
ARG TRACING=false
RUN if [ "$TRACING" = true ]; then \
    npm install --omit=dev --omit=optional --no-save --save-prod --no-audit --no-fund @adonisjs/otel; fi

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3333 SQLITE_PATH=/data/concierge.sqlite3
# The compiled code finds its project in the folder above `build`.
WORKDIR /app/build
COPY --from=dependencies /app/node_modules /app/node_modules
COPY --from=dependencies /app/packages /app/packages
COPY --from=build /src/build /app/build
RUN install --directory --mode=0700 --owner=node --group=node /data
USER node
EXPOSE 3333
# Tests the process, not its database: a restart would not repair that. The process listens once the
# database is migrated, and may have to wait for another process to migrate it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=330s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/live`).then(({ok})=>process.exit(ok?0:1),()=>process.exit(1))"]
# SIGTERM reaches the service itself: no shell, no npm in between.
CMD ["node", "bin/main.js"]
