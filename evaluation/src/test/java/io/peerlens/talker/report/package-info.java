@NullMarked
package io.peerlens.talker.report;

import org.jspecify.annotations.NullMarked;
