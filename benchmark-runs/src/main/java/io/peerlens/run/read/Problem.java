package io.peerlens.run.read;

/**
 * Something that could not be read. The other files are read all the same.
 *
 * @param file path inside what was read, with {@code /}
 * @param line from 1; 0 = the file as a whole
 * @param what is wrong
 * @param remedy what a person can do about it
 */
public record Problem(String file, int line, String what, String remedy) {}
