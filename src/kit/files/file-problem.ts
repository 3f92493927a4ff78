const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'its name is too long',
  ENXIO: 'it is not a file with contents of its own, but a pipe or a device',
};

const writeReasons: Readonly<Record<string, string>> = {
  ...reasons,
  ENOENT: 'there is no such folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your disk quota is used up',
  EFBIG: 'the file would be larger than this system allows',
  EROFS: 'the disk is read-only',
};

/**
 * Why a file cannot be read, as part of a sentence; errors without words of their own keep the system's
 * message.
 */
export function fileProblem(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}

/** Why a file cannot be written, as part of a sentence. */
export function writeProblem(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return writeReasons[code] ?? message;
}
