import type { Json, JsonObject } from '../../../src/document/json.ts'

/**
 * Imitations of large published APIs, made by rules: how they name operations, build paths and describe bodies. Nothing
 * is copied; what they have in common with their models is the structure that makes searching hard.
 */

type Paths = Record<string, Record<string, Json>>

const text: JsonObject = { type: 'string' }
const inPath = (name: string): JsonObject => ({ name, in: 'path', required: true, schema: text })

function put(paths: Paths, path: string, method: string, operation: JsonObject): void {
  const item = paths[path] ?? {}
  paths[path] = item
  const parameters = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => inPath(name))
  const own = (operation.parameters as readonly Json[] | undefined) ?? []
  const all = [...parameters, ...own]
  item[method] = {
    ...operation,
    ...(all.length > 0 && { parameters: all }),
    responses: { 200: { description: 'OK' } },
  }
}

function documentOf(title: string, openapi: string, paths: Paths, more: JsonObject = {}): JsonObject {
  return { openapi, info: { title, version: '1' }, servers: [{ url: 'http://127.0.0.1:1' }], paths, ...more }
}

const capital = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
const words = (list: string): readonly string[] => list.trim().split(/\s+/)
const plural = (word: string) =>
  /(?:s|sh|ch|x)$/.test(word)
    ? `${word}es`
    : word.endsWith('y') && !/[aeiou]y$/.test(word)
      ? `${word.slice(0, -1)}ies`
      : `${word}s`
const spoken = (word: string) => word.replaceAll('_', ' ')
const a = (noun: string) => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`

/** Named by method and path; writes are forms; each GET describes an empty form; actions are sub-paths. */
export function paymentApi(): JsonObject {
  const paths: Paths = {}
  const form = (properties: JsonObject): JsonObject => ({
    content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties } } },
  })
  const nameOf = (method: string, path: string) =>
    capital(method) +
    path
      .replace('/v1', '')
      .split(/[/_{}]+/)
      .map(capital)
      .join('')
  const add = (method: string, path: string, summary: string, properties: JsonObject = {}) =>
    put(paths, path, method, {
      operationId: nameOf(method, path),
      summary,
      description: `<p>${summary}. The answer contains the object, or an error with its reason.</p>`,
      requestBody: form(properties),
    })
  const resource = (path: string, noun: string, methods: string) => {
    const item = `${path}/{${noun}}`
    const many = spoken(plural(noun))
    if (methods.includes('l')) add('get', path, `List all ${many}`)
    if (methods.includes('c'))
      add('post', path, `Create ${a(spoken(noun))}`, {
        description: text,
        currency: text,
        metadata: { type: 'object' },
      })
    if (methods.includes('r')) add('get', item, `Retrieve ${a(spoken(noun))}`)
    if (methods.includes('u'))
      add('post', item, `Update ${a(spoken(noun))}`, { description: text, email: text })
    if (methods.includes('d')) add('delete', item, `Delete ${a(spoken(noun))}`)
    if (methods.includes('s')) add('get', `${path}/search`, `Search ${many}`)
  }
  for (const noun of words(`customer product price coupon plan invoice subscription payment_intent payment_method
    setup_intent charge refund dispute payout transfer topup quote tax_rate shipping_rate promotion_code webhook_endpoint
    payment_link credit_note invoice_item subscription_item subscription_schedule file_link review mandate source token`))
    resource(`/v1/${plural(noun)}`, noun, noun === 'charge' || noun === 'customer' ? 'lcruds' : 'lcrud')
  const actions: Readonly<Record<string, string>> = {
    invoice: 'finalize pay send void mark_uncollectible',
    payment_intent: 'confirm capture cancel apply_customer_balance verify_microdeposits',
    setup_intent: 'confirm cancel verify_microdeposits',
    charge: 'capture dispute refund',
    subscription: 'resume migrate',
    payout: 'cancel reverse',
    dispute: 'close',
    quote: 'accept cancel finalize',
    review: 'approve',
    refund: 'cancel',
    payment_method: 'attach detach',
    subscription_schedule: 'cancel release',
    credit_note: 'void',
  }
  for (const [noun, list] of Object.entries(actions))
    for (const act of words(list))
      add('post', `/v1/${plural(noun)}/{${noun}}/${act}`, `${capital(spoken(act))} ${a(spoken(noun))}`)
  for (const sub of words(
    'source card bank_account tax_id balance_transaction cash_balance_transaction discount',
  ))
    resource(`/v1/customers/{customer}/${plural(sub)}`, sub, 'lcrud')
  for (const sub of words('source card bank_account'))
    add(
      'post',
      `/v1/customers/{customer}/${plural(sub)}/{id}/verify`,
      `Verify ${a(spoken(sub))} of a customer`,
    )
  for (const sub of words('external_account capability person login_link'))
    resource(`/v1/accounts/{account}/${plural(sub)}`, sub, 'lcrud')
  resource('/v1/accounts', 'account', 'lcrud')
  for (const sub of words('card cardholder authorization dispute transaction token'))
    resource(`/v1/issuing/${plural(sub)}`, `issuing_${sub}`, 'lru')
  for (const sub of words('reader location configuration'))
    resource(`/v1/terminal/${plural(sub)}`, `terminal_${sub}`, 'lcrud')
  for (const sub of words('customer payment_method invoice subscription'))
    for (const act of words('fund refund fail advance'))
      add(
        'post',
        `/v1/test_helpers/${plural(sub)}/{${sub}}/${act}`,
        `${capital(act)} ${a(`test ${spoken(sub)}`)}`,
      )
  add('get', '/v1/balance', 'Retrieve the balance')
  add('get', '/v1/balance/history', 'List all balance transactions')
  add('get', '/v1/invoices/upcoming', 'Retrieve an upcoming invoice')
  add('get', '/v1/invoices/upcoming/lines', 'Retrieve the lines of an upcoming invoice')
  add('get', '/v1/invoices/{invoice}/lines', 'List all lines of an invoice')
  return documentOf('Payments', '3.0.3', paths)
}

/** Groups, versions and kinds; no summaries; deprecated watches; four media types of a patch with one schema. */
export function clusterApi(): JsonObject {
  const paths: Paths = {}
  const groups: readonly (readonly [root: string, group: string, version: string, kinds: string])[] = [
    [
      '/api',
      'core',
      'v1',
      `Pod Service ConfigMap Secret Endpoints Event LimitRange PersistentVolumeClaim PodTemplate
      ReplicationController ResourceQuota ServiceAccount Namespace! Node! PersistentVolume!`,
    ],
    ['/apis/apps', 'apps', 'v1', 'Deployment DaemonSet ReplicaSet StatefulSet ControllerRevision'],
    ['/apis/batch', 'batch', 'v1', 'Job CronJob'],
    ['/apis/batch', 'batch', 'v1beta1', 'CronJob'],
    ['/apis/networking.k8s.io', 'networking', 'v1', 'Ingress NetworkPolicy IngressClass!'],
    [
      '/apis/rbac.authorization.k8s.io',
      'rbacAuthorization',
      'v1',
      'Role RoleBinding ClusterRole! ClusterRoleBinding!',
    ],
    [
      '/apis/storage.k8s.io',
      'storage',
      'v1',
      'StorageClass! VolumeAttachment! CSIDriver! CSIStorageCapacity',
    ],
    ['/apis/autoscaling', 'autoscaling', 'v2', 'HorizontalPodAutoscaler'],
    ['/apis/policy', 'policy', 'v1', 'PodDisruptionBudget'],
    ['/apis/coordination.k8s.io', 'coordination', 'v1', 'Lease'],
    ['/apis/events.k8s.io', 'events', 'v1', 'Event'],
  ]
  const ANY: JsonObject = { content: { '*/*': { schema: { type: 'object' } } }, required: true }
  const PATCH: JsonObject = {
    required: true,
    content: Object.fromEntries(
      words('json-patch+json merge-patch+json strategic-merge-patch+json apply-patch+yaml').map((type) => [
        `application/${type}`,
        { schema: { $ref: '#/components/schemas/Patch' } },
      ]),
    ),
  }
  for (const [root, group, version, kinds] of groups) {
    const prefix = `${capital(group)}${capital(version)}`
    for (const written of words(kinds)) {
      const kind = written.replace('!', '')
      const inNamespace = !written.endsWith('!')
      const many = plural(kind.toLowerCase()).replace('endpointses', 'endpoints')
      const base = `${root}/${version}`
      const list = inNamespace ? `${base}/namespaces/{namespace}/${many}` : `${base}/${many}`
      const named = inNamespace ? `Namespaced${kind}` : kind
      const item = `${list}/{name}`
      const add = (
        method: string,
        path: string,
        verb: string,
        subject: string,
        what: string,
        body?: JsonObject,
      ) =>
        put(paths, path, method, {
          operationId: `${verb}${prefix}${subject}`,
          description: what,
          tags: [`${group}_${version}`],
          ...(body !== undefined && { requestBody: body }),
        })
      add('get', list, 'list', named, `list or watch objects of kind ${kind}`)
      add('post', list, 'create', named, `create a ${kind}`, ANY)
      add('delete', list, 'deleteCollection', named, `delete collection of ${kind}`)
      add('get', item, 'read', named, `read the specified ${kind}`)
      add('put', item, 'replace', named, `replace the specified ${kind}`, ANY)
      add('patch', item, 'patch', named, `partially update the specified ${kind}`, PATCH)
      add('delete', item, 'delete', named, `delete a ${kind}`)
      const gone =
        "deprecated: use the 'watch' parameter with a list operation instead, filtered to a single item with 'fieldSelector'"
      const watched = item.replace(base, `${base}/watch`)
      add('get', watched, 'watch', named, `watch changes to an object of kind ${kind}. ${gone}.`)
      add(
        'get',
        watched.replace('/{name}', ''),
        'watch',
        `${named}List`,
        `watch individual changes to a list of ${kind}. ${gone}.`,
      )
      if (inNamespace) {
        add(
          'get',
          `${base}/${many}`,
          'list',
          `${kind}ForAllNamespaces`,
          `list or watch objects of kind ${kind}`,
        )
        add(
          'get',
          `${base}/watch/${many}`,
          'watch',
          `${kind}ListForAllNamespaces`,
          `watch individual changes to a list of ${kind}. ${gone}.`,
        )
      }
      const parts = [
        ...(/^(?:ConfigMap|Secret|Endpoints|Event|Lease|PodTemplate|Role|ClusterRole)/.test(kind)
          ? []
          : ['status']),
        ...(/^(?:Deployment|ReplicaSet|StatefulSet|ReplicationController)$/.test(kind) ? ['scale'] : []),
      ]
      for (const part of parts) {
        const about = `${part} of the specified ${kind}`
        const subject = `${named}${capital(part)}`
        add('get', `${item}/${part}`, 'read', subject, `read ${about}`)
        add('put', `${item}/${part}`, 'replace', subject, `replace ${about}`, ANY)
        add('patch', `${item}/${part}`, 'patch', subject, `partially update ${about}`, PATCH)
      }
      if (kind === 'Pod') {
        add('get', `${item}/log`, 'read', `${named}Log`, 'read log of the specified Pod')
        add('post', `${item}/eviction`, 'create', `${named}Eviction`, 'create eviction of a Pod', ANY)
        add('post', `${item}/binding`, 'create', `${named}Binding`, 'create binding of a Pod', ANY)
        for (const verb of words('exec attach portforward'))
          add(
            'post',
            `${item}/${verb}`,
            'connectPost',
            `${named}${capital(verb)}`,
            `connect POST requests to ${verb} of Pod`,
          )
      }
    }
  }
  return documentOf('Cluster', '3.0.0', paths, { components: { schemas: { Patch: { type: 'object' } } } })
}

/** Names of the form `group/verb-noun`, tags, summaries, everything below an owner and a repository. */
export function codeHostApi(): JsonObject {
  const paths: Paths = {}
  const add = (
    method: string,
    path: string,
    tag: string,
    id: string,
    summary: string,
    members: JsonObject = {},
  ) =>
    put(paths, path, method, {
      operationId: `${tag}/${id}`,
      summary,
      description: `${summary}. People with access to the repository can do this; others get an error. The answer is paginated.`,
      tags: [tag],
      ...(Object.keys(members).length > 0 && {
        requestBody: { content: { 'application/json': { schema: { type: 'object', properties: members } } } },
      }),
    })
  const repo = '/repos/{owner}/{repo}'
  const crud = (
    base: string,
    tag: string,
    part: string,
    noun: string,
    key: string,
    members: JsonObject = { name: text },
  ) => {
    const dashed = noun.replaceAll(' ', '-')
    const path = `${base}/${part}`
    const item = `${path}/{${key}}`
    add('get', path, tag, `list-${plural(dashed)}`, `List ${plural(noun)}`)
    add('post', path, tag, `create-${dashed}`, `Create ${a(noun)}`, members)
    add('get', item, tag, `get-${dashed}`, `Get ${a(noun)}`)
    add('patch', item, tag, `update-${dashed}`, `Update ${a(noun)}`, members)
    add('delete', item, tag, `delete-${dashed}`, `Delete ${a(noun)}`)
  }
  crud(repo, 'issues', 'issues', 'issue', 'issue_number', {
    title: text,
    body: text,
    state: { type: 'string', enum: ['open', 'closed'] },
  })
  crud(repo, 'pulls', 'pulls', 'pull request', 'pull_number', {
    title: text,
    base: text,
    state: { type: 'string', enum: ['open', 'closed'] },
  })
  for (const [tag, part, noun, key] of [
    ['issues', 'milestones', 'milestone', 'milestone_number'],
    ['issues', 'labels', 'label', 'name'],
    ['repos', 'releases', 'release', 'release_id'],
    ['repos', 'hooks', 'repository webhook', 'hook_id'],
    ['repos', 'keys', 'deploy key', 'key_id'],
    ['repos', 'deployments', 'deployment', 'deployment_id'],
    ['repos', 'environments', 'environment', 'environment_name'],
    ['repos', 'autolinks', 'autolink', 'autolink_id'],
    ['checks', 'check-runs', 'check run', 'check_run_id'],
    ['checks', 'check-suites', 'check suite', 'check_suite_id'],
    ['actions', 'actions/secrets', 'repository secret', 'secret_name'],
    ['actions', 'actions/variables', 'repository variable', 'variable_name'],
    ['actions', 'actions/runners', 'self-hosted runner', 'runner_id'],
    ['actions', 'actions/artifacts', 'artifact', 'artifact_id'],
    ['code-scanning', 'code-scanning/alerts', 'code scanning alert', 'alert_number'],
    ['dependabot', 'dependabot/alerts', 'dependency alert', 'alert_number'],
    ['git', 'git/refs', 'reference', 'ref'],
    ['git', 'git/tags', 'tag object', 'tag_sha'],
  ] as const)
    crud(repo, tag, part, noun, key)
  for (const [owner, tag, base] of [
    ['issue', 'issues', `${repo}/issues/{issue_number}`],
    ['pull request', 'pulls', `${repo}/pulls/{pull_number}`],
  ] as const) {
    crud(base, tag, 'comments', `${owner} comment`, 'comment_id', { body: text })
    crud(base, 'reactions', 'reactions', `${owner} reaction`, 'reaction_id', { content: text })
    add(
      'get',
      `${base}/timeline`,
      tag,
      `list-events-for-timeline-of-${owner.replace(' ', '-')}`,
      `List timeline events for ${a(owner)}`,
    )
  }
  const issue = `${repo}/issues/{issue_number}`
  add('get', `${issue}/labels`, 'issues', 'list-labels-on-issue', 'List labels for an issue')
  add('post', `${issue}/labels`, 'issues', 'add-labels', 'Add labels to an issue', { labels: text })
  add('delete', `${issue}/labels/{name}`, 'issues', 'remove-label', 'Remove a label from an issue')
  add('post', `${issue}/assignees`, 'issues', 'add-assignees', 'Add assignees to an issue', {
    assignees: text,
  })
  add('put', `${issue}/lock`, 'issues', 'lock', 'Lock an issue', { lock_reason: text })
  add('delete', `${issue}/lock`, 'issues', 'unlock', 'Unlock an issue')
  const pull = `${repo}/pulls/{pull_number}`
  add('get', `${pull}/commits`, 'pulls', 'list-commits', 'List commits on a pull request')
  add('get', `${pull}/files`, 'pulls', 'list-files', 'List pull requests files')
  add('put', `${pull}/merge`, 'pulls', 'merge', 'Merge a pull request', { merge_method: text })
  add('get', `${pull}/merge`, 'pulls', 'check-if-merged', 'Check if a pull request has been merged')
  add(
    'post',
    `${pull}/requested_reviewers`,
    'pulls',
    'request-reviewers',
    'Request reviewers for a pull request',
    { reviewers: text },
  )
  add('get', `${pull}/reviews`, 'pulls', 'list-reviews', 'List reviews for a pull request')
  add('post', `${pull}/reviews`, 'pulls', 'create-review', 'Create a review for a pull request', {
    event: text,
  })
  add('get', repo, 'repos', 'get', 'Get a repository')
  add('patch', repo, 'repos', 'update', 'Update a repository', { name: text, archived: { type: 'boolean' } })
  add('delete', repo, 'repos', 'delete', 'Delete a repository')
  add('post', `${repo}/forks`, 'repos', 'create-fork', 'Create a fork', { organization: text })
  add('get', `${repo}/branches`, 'repos', 'list-branches', 'List branches')
  add('get', `${repo}/branches/{branch}`, 'repos', 'get-branch', 'Get a branch')
  for (const rule of words(
    'required_pull_request_reviews required_status_checks restrictions enforce_admins',
  ))
    for (const [method, verb] of [
      ['get', 'get'],
      ['patch', 'update'],
      ['delete', 'delete'],
    ] as const)
      add(
        method,
        `${repo}/branches/{branch}/protection/${rule}`,
        'repos',
        `${verb}-${rule.replaceAll('_', '-')}-protection`,
        `${capital(verb)} ${rule.replaceAll('_', ' ')} protection`,
      )
  add('get', `${repo}/contents/{path}`, 'repos', 'get-content', 'Get repository content')
  add(
    'put',
    `${repo}/contents/{path}`,
    'repos',
    'create-or-update-file-contents',
    'Create or update file contents',
    { message: text },
  )
  add('get', `${repo}/commits`, 'repos', 'list-commits', 'List commits')
  add('get', `${repo}/contributors`, 'repos', 'list-contributors', 'List repository contributors')
  add('put', `${repo}/collaborators/{username}`, 'repos', 'add-collaborator', 'Add a repository collaborator')
  add(
    'get',
    `${repo}/actions/runs`,
    'actions',
    'list-workflow-runs-for-repo',
    'List workflow runs for a repository',
  )
  add('post', `${repo}/actions/runs/{run_id}/rerun`, 'actions', 'rerun-workflow', 'Re-run a workflow')
  add(
    'post',
    `${repo}/actions/workflows/{workflow_id}/dispatches`,
    'actions',
    'create-workflow-dispatch',
    'Create a workflow dispatch event',
  )
  const org = '/orgs/{org}'
  for (const [tag, part, noun, key] of [
    ['teams', 'teams', 'team', 'team_slug'],
    ['orgs', 'hooks', 'organization webhook', 'hook_id'],
    ['orgs', 'invitations', 'organization invitation', 'invitation_id'],
    ['actions', 'actions/secrets', 'organization secret', 'secret_name'],
    ['packages', 'packages', 'package', 'package_name'],
    ['projects', 'projects', 'organization project', 'project_id'],
  ] as const)
    crud(org, tag, part, noun, key)
  add('get', `${org}/members`, 'orgs', 'list-members', 'List organization members')
  add('get', `${org}/repos`, 'repos', 'list-for-org', 'List organization repositories')
  add('get', '/user', 'users', 'get-authenticated', 'Get the authenticated user')
  add(
    'get',
    '/user/repos',
    'repos',
    'list-for-authenticated-user',
    'List repositories for the authenticated user',
  )
  add(
    'put',
    '/user/starred/{owner}/{repo}',
    'activity',
    'star-repo-for-authenticated-user',
    'Star a repository for the authenticated user',
  )
  crud('', 'gists', 'gists', 'gist', 'gist_id', { files: { type: 'object' } })
  for (const what of words('code commits issues labels repositories topics users'))
    add('get', `/search/${what}`, 'search', what, `Search ${what}`)
  return documentOf('Code host', '3.0.3', paths)
}

/** Names in camel case that rarely repeat the resource, ids or keys in paths, deprecated twins, singular paths. */
export function trackerApi(): JsonObject {
  const paths: Paths = {}
  const add = (
    method: string,
    path: string,
    id: string,
    summary: string,
    description = '',
    more: JsonObject = {},
  ) =>
    put(paths, `/rest/api/3${path}`, method, {
      operationId: id,
      summary,
      description: `${description === '' ? summary : description}. **Permissions** required: to browse the project of the issue.`,
      tags: [`${capital(path.split('/')[1] ?? '')}s`],
      ...(method !== 'get' &&
        method !== 'delete' && {
          requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
        }),
      ...more,
    })
  const issue = '/issue/{issueIdOrKey}'
  add('post', '/issue', 'createIssue', 'Create issue', 'Creates an issue or a subtask')
  add('post', '/issue/bulk', 'createIssues', 'Bulk create issue')
  add('get', '/issue/createmeta', 'getCreateIssueMeta', 'Get create issue metadata')
  add('get', issue, 'getIssue', 'Get issue')
  add(
    'put',
    issue,
    'editIssue',
    'Edit issue',
    'Edits an issue. A transition may be applied and issue properties updated',
  )
  add('delete', issue, 'deleteIssue', 'Delete issue')
  add('put', `${issue}/assignee`, 'assignIssue', 'Assign issue', 'Assigns an issue to a user')
  add(
    'get',
    `${issue}/transitions`,
    'getTransitions',
    'Get transitions',
    'Returns the transitions that can be performed by the user on an issue in its status',
  )
  add(
    'post',
    `${issue}/transitions`,
    'doTransition',
    'Transition issue',
    'Performs an issue transition, and updates the fields of its screen',
  )
  add(
    'post',
    `${issue}/attachments`,
    'addAttachment',
    'Add attachment',
    'Adds one or more attachments to an issue',
  )
  add('post', `${issue}/notify`, 'notify', 'Send notification for issue')
  add('get', `${issue}/changelog`, 'getChangeLogs', 'Get changelogs')
  for (const [part, noun] of [
    ['comment', 'Comment'],
    ['worklog', 'Worklog'],
    ['remotelink', 'RemoteIssueLink'],
    ['properties', 'IssueProperty'],
  ] as const) {
    const said = noun.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
    add('get', `${issue}/${part}`, `get${plural(noun)}`, `Get ${plural(said)}`)
    add('post', `${issue}/${part}`, `add${noun}`, `Add ${said}`, `Adds ${a(said)} to an issue`)
    add('get', `${issue}/${part}/{id}`, `get${noun}`, `Get ${said}`)
    add('put', `${issue}/${part}/{id}`, `update${noun}`, `Update ${said}`)
    add('delete', `${issue}/${part}/{id}`, `delete${noun}`, `Delete ${said}`)
  }
  for (const [part, noun] of [
    ['watchers', 'Watcher'],
    ['votes', 'Vote'],
  ] as const) {
    add('get', `${issue}/${part}`, `getIssue${plural(noun)}`, `Get issue ${part}`)
    add('post', `${issue}/${part}`, `add${noun}`, `Add ${noun.toLowerCase()}`)
    add('delete', `${issue}/${part}`, `remove${noun}`, `Delete ${noun.toLowerCase()}`)
  }
  add('get', '/search', 'searchForIssuesUsingJql', 'Search for issues using JQL (GET)')
  add('post', '/search', 'searchForIssuesUsingJqlPost', 'Search for issues using JQL (POST)')
  add('get', '/project', 'getAllProjects', 'Get all projects', '', { deprecated: true })
  add('get', '/project/search', 'searchProjects', 'Get projects paginated')
  add('post', '/project', 'createProject', 'Create project')
  const project = '/project/{projectIdOrKey}'
  add('get', project, 'getProject', 'Get project')
  add('put', project, 'updateProject', 'Update project')
  add('delete', project, 'deleteProject', 'Delete project')
  add('post', `${project}/archive`, 'archiveProject', 'Archive project')
  for (const part of words('avatar component feature role type email hierarchy property version status'))
    add('get', `${project}/${part}`, `getProject${capital(plural(part))}`, `Get project ${plural(part)}`)
  for (const noun of words(`version component dashboard filter group role field screen workflow priority resolution
    issueLink issueLinkType issueType issueTypeScheme issueSecurityScheme notificationScheme permissionScheme
    projectCategory workflowScheme fieldConfiguration customFieldOption label avatar status webhook auditRecord`)) {
    const said = noun.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
    add('get', `/${noun}`, `getAll${capital(plural(noun))}`, `Get all ${plural(said)}`)
    add('get', `/${noun}/search`, `search${capital(plural(noun))}`, `Search ${plural(said)} paginated`)
    add('post', `/${noun}`, `create${capital(noun)}`, `Create ${said}`)
    add('get', `/${noun}/{id}`, `get${capital(noun)}`, `Get ${said}`)
    add('put', `/${noun}/{id}`, `update${capital(noun)}`, `Update ${said}`)
    add('delete', `/${noun}/{id}`, `delete${capital(noun)}`, `Delete ${said}`)
    if (/scheme$/i.test(noun)) {
      add('get', `/${noun}/project`, `get${capital(noun)}Projects`, `Get projects of ${plural(said)}`)
      add('put', `/${noun}/{id}/project`, `assign${capital(noun)}ToProject`, `Assign ${said} to project`)
    }
  }
  add('get', '/group/member', 'getUsersFromGroup', 'Get users from group')
  add('post', '/group/user', 'addUserToGroup', 'Add user to group')
  add('get', '/myself', 'getCurrentUser', 'Get current user')
  add('get', '/user', 'getUser', 'Get user')
  add('get', '/user/search', 'findUsers', 'Find users')
  add('get', '/user/assignable/search', 'findAssignableUsers', 'Find users assignable to issues')
  add('get', '/groupuserpicker', 'findUsersAndGroups', 'Find users and groups')
  return documentOf('Tracker', '3.0.1', paths)
}
