// The library of wasm-opt, from the tool folder (.ci/setup.sh), never from the repository.
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const CACHE = process.env.TRACELOUPE_CACHE || path.join(os.homedir(), '.cache/traceloupe');
const LIBRARY = path.join(CACHE, 'npm/node_modules/binaryen/index.js');

export const binaryen = (await import(pathToFileURL(LIBRARY))).default;

const { Features } = binaryen;

/** What rustc and wasm-bindgen use. */
export const FEATURES = Features.SIMD128 | Features.BulkMemory | Features.BulkMemoryOpt |
  Features.NontrappingFPToInt | Features.SignExt | Features.MutableGlobals |
  Features.ReferenceTypes | Features.CallIndirectOverlong | Features.Multivalue;
