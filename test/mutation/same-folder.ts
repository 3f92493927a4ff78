import process from 'node:process';

// A thread cannot change the folder of its process. Only tests for which any folder will do are in the rooms.
process.chdir = () => undefined;
