package io.peerlens.slow;

/**
 * Another machine that takes what they share.
 *
 * @param takes what it takes now and took before, such as "takes 9,000 MHz (before 1,200)"
 * @param effect what that does, such as "the host's CPU is at 97 %, usual 30 to 60 %"
 */
public record Culprit(Neighbour machine, String takes, String effect) {}
