// A restore or drill: its plan, and its report.

import { bytes, counted, h, money, number, pathOf } from './dom.js';
import { issueGroups } from './issues.js';
import { versionTime } from './versions.js';

const table = (heads, rows) => h('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': 'Plan' }, h('table', {}, h('thead', {}, h('tr', {},
  heads.map(head => h('th', { scope: 'col' }, head)))), h('tbody', {}, rows.map(row => h('tr', {}, row.map(cell => h('td', {}, cell)))))));

const isDrill = job => job.target === undefined;

// What is going on, in one line.
export function headOf(job) {
  const files = counted(job.plan.reduce((sum, part) => sum + part.files, 0), 'file');
  const what = isDrill(job) ? `${files} of all versions` : [`${files} to `, pathOf(job.target)];
  const line = {
    Planned: isDrill(job) ? ['Plan of a drill: everything is read and verified, nothing is written'] : ['Plan: restore ', what],
    Running: [isDrill(job) ? 'Verifying ' : 'Restoring ', what],
    Pausing: ['Pausing: what was asked for still comes, and nothing more is asked for'],
    Paused: [`Paused${job.progress?.fraction > 0 ? ` at ${Math.floor(100 * job.progress.fraction)} %` : ''}. "Go on" continues from here`],
    Stopping: ['Stopping'],
    Stopped: ['Stopped. ', isDrill(job) ? '' : 'Finished files are kept; the same plan later restores the rest'],
    Failed: ['Failed'],
  }[job.state];
  return h('div', { role: 'status' }, line ? h('h2', { class: { Failed: 'error', Paused: 'warn' }[job.state] ?? '' }, line) : reportHead(job));
}

// Each kind apart, the worst first.
const losses = [
  ['missing', 'entry is lost', 'entries are lost'], ['damaged', 'entry is damaged', 'entries are damaged'], ['refused', 'entry is refused', 'entries are refused'],
];

const lossWords = counts => losses.filter(([kind]) => counts[kind] > 0).map(([kind, one, many]) => counted(counts[kind], one, many)).join(', ');

const metadataWords = count => `the metadata of ${counted(count, 'entry', 'entries')} ${count === 1 ? 'is' : 'are'} lost`;

function reportHead(job) {
  const { files, issues } = job.report;
  const done = isDrill(job) ? 'verified' : 'restored and verified';
  const lost = lossWords(issues.losses);
  const { metadata } = issues.losses;
  const [style, sign, text] = lost ? ['error', '!', `${lost}; ${counted(files, 'file')} ${done}`]
    : issues.lost > metadata ? ['error', '!', `${counted(issues.lost - metadata, 'entry', 'entries')} could not be verified; ${counted(files, 'file')} ${done}`]
      : metadata > 0 ? ['warn', '–', `${counted(files, 'file')} ${done}; ${metadataWords(metadata)}, and no content`]
        : issues.leftOut > 0 ? ['warn', '–', `${counted(files, 'file')} ${done}; ${counted(issues.leftOut, 'link was', 'links were')} left out, and nothing is lost`]
          : ['good', '✓', isDrill(job) ? 'Everything is readable and verified' : 'Everything is restored and verified'];
  return h('h2', { class: style }, h('span', { class: 'mark', 'aria-hidden': 'true' }, sign), text);
}

const lastGoodOf = versions => `the last good of each file, from ${counted(versions.length, 'version')}: ${versions.slice(0, 3).map(versionTime).join(', ')}${versions.length > 3 ? ' …' : ''}`;

// What a plan has cost already, and what the report will say in the end.
function fetchedFor(plan) {
  const sum = name => plan.reduce((all, part) => all + part[name], 0);
  const [fetched, toFetch] = [sum('bytesFetched'), sum('bytesToFetch')];
  return fetched === 0 ? null
    : h('p', { class: 'quiet', id: 'fetched' }, `${bytes(fetched + toFetch)} in all: ${bytes(fetched)} of lists and index volumes were fetched to make this plan.`);
}

// createLinks makes the plan again; null if it cannot.
export function planOf(job, actions) {
  const drill = isDrill(job);
  const hasLooked = job.plan.some(part => part.newFiles !== undefined);
  const hasCost = job.plan.some(part => part.cost !== undefined);
  const issues = job.planIssues;
  return [
    table(['Version', drill ? null : 'To', 'Files', ...(hasLooked ? ['New', 'Replaced', 'Kept'] : []), drill ? null : 'To write', 'To fetch', hasCost ? 'Cost' : null].filter(Boolean),
      job.plan.map(part => [
        drill ? 'all' : part.lastGoodFrom ? lastGoodOf(part.lastGoodFrom) : versionTime(part.version), ...(drill ? [] : [[job.isOriginal ? 'the original places, below ' : '', pathOf(part.target)]]), number(part.files),
        ...(hasLooked ? [number(part.newFiles), number(part.replacedFiles), number(part.keptFiles)] : []), ...(drill ? [] : [bytes(part.bytesToWrite)]),
        `${bytes(part.bytesToFetch)} from ${counted(part.volumes, 'volume')}`, ...(hasCost ? [money(part.cost)] : []),
      ])),
    fetchedFor(job.plan),
    issues && lossWords(issues.losses) ? h('p', { class: 'error' }, `Not everything can be restored whole: ${lossWords(issues.losses)}.`) : null,
    issues?.losses.metadata > 0 ? h('p', { class: 'warn' }, `No content is lost by it, but ${metadataWords(issues.losses.metadata)}.`) : null,
    job.leavesOutLinks && job.state === 'Planned' ? h('p', { class: 'warn' }, 'The backup is not encrypted, so its links may not be yours: those that point out of the folder are left out. ',
      actions.createLinks ? h('button', { id: 'links', onclick: actions.createLinks }, 'Create links too') : null) : null,
    job.createsLinks && job.state === 'Planned' ? h('p', {}, 'Links that point out of the folder are created. Nothing is written through them.') : null,
    issues ? issueGroups(issues, actions) : null,
  ];
}

export function reportOf(job, actions) {
  const { report } = job;
  return [
    job.state === 'Done' ? null : h('p', { class: 'warn' }, 'What was done before it ended:'),
    h('p', {}, isDrill(job) ? `${counted(report.files, 'file')} (${bytes(report.bytes)}) verified`
      : [`${counted(report.files, 'file')} (${bytes(report.bytes)}) in `, pathOf(report.target ?? job.target), report.filesUnchanged > 0 ? `, ${number(report.filesUnchanged)} of them were right already` : ''],
    `; ${bytes(report.bytesFetched)} fetched in ${report.seconds.toFixed(1)} s`),
    report.issues.leftOut > 0 && actions.createLinks ? h('p', { class: 'warn' }, 'Links that point out of the folder were left out, because the backup is not encrypted. ',
      h('button', { id: 'links', onclick: actions.createLinks }, 'Create them')) : null,
    issueGroups(report.issues, actions),
  ];
}
