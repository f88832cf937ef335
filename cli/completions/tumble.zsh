#compdef tumble
# Completion of the command tumble in zsh, which asks the command itself what fits.

_tumble()
{
    local word help with_files=
    local -a candidates
    while IFS=$'\t' read -r word help; do
        if [[ $word == :files ]]; then
            with_files=yes
        else
            candidates+=("${word//:/\\:}:$help")
        fi
    done < <(${~words[1]} --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)
    if (( $#candidates )); then
        _describe -o tumble candidates
    fi
    if [[ -n $with_files ]]; then
        _files
    fi
}

_tumble "$@"
