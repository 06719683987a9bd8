@NullMarked
package io.peerlens.talker;

import org.jspecify.annotations.NullMarked;
