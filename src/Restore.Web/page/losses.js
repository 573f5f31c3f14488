// What is known to be wrong with a content, and which version has another state of the file. Whether that one is whole is not known before it is read.

import { h } from './dom.js';
import { versionTime } from './versions.js';

// In a few words, for a row; null for a content that nothing is known against.
export const lossOf = loss => !loss ? null
  : `${loss.kind === 'Missing' ? 'lost' : 'damaged'}${loss.otherIn === undefined ? ' in every state of it' : `, another state in ${versionTime(loss.otherIn)}`}`;

// In place of a download that would end without a word.
export const noDownload = (loss, choose) => h('p', { class: 'error', id: 'no-download', role: 'status' },
  loss.kind === 'Missing' ? 'This state of the file is lost. ' : 'This state of the file is damaged: a download would end before its end. ',
  loss.otherIn === undefined ? 'No version is known to have it whole; a restore writes what is left.'
    : h('button', { class: 'plain', onclick: () => choose(loss.otherIn) }, `Show another state of it, in ${versionTime(loss.otherIn)}`));
